//! A static model as model2vec publishes them (github.com/MinishLab/model2vec): a folder with `model.safetensors`, which
//! holds the tensor `embeddings` and sometimes `weights` and `mapping`, and `tokenizer.json` in the form of the
//! `tokenizers` library, of which only BERT's WordPiece is understood.
//!
//! Whatever precision the table has, it is kept as signed bytes with a weight a row, like the one inside the program.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde_json::Value;

use super::{EmbeddingModel, MOST_DIMENSIONS, ModelError, Token};

/// The table's file.
pub(super) const TABLE: &str = "model.safetensors";
/// The tokenizer's file.
pub(super) const TOKENIZER: &str = "tokenizer.json";
/// Larger files are no static models: 65,535 tokens of 4,096 numbers of four bytes.
const MOST_BYTES: u64 = 1 << 30;

/// [`EmbeddingModel::from_folder`].
pub(super) fn load(folder: &Path) -> Result<EmbeddingModel, ModelError> {
    let tokenizer = folder.join(TOKENIZER);
    let table = folder.join(TABLE);
    let tokenizer_bytes = read(&tokenizer)?;
    let table_bytes = read(&table)?;
    let unusable = |path: &Path| {
        let path = path.to_owned();
        move |problem: String| ModelError::Unusable { path, problem }
    };
    let tokens = tokens(&tokenizer_bytes).map_err(unusable(&tokenizer))?;
    let read = read_table(&table_bytes, tokens.len()).map_err(unusable(&table))?;
    let mut hash = blake3::Hasher::new();
    hash.update(&tokenizer_bytes).update(&table_bytes);
    let hash = hash.finalize().to_hex();
    let name = format!("{}-{}-i8/{}", label(folder), read.dimensions, &hash[..16]);
    let tokens = tokens.into_iter().map(Cow::Owned).collect();
    EmbeddingModel::from_parts(Cow::Owned(name), read.dimensions, Cow::Owned(read.rows), read.weights, tokens)
}

fn read(path: &Path) -> Result<Vec<u8>, ModelError> {
    let unreadable = |source| ModelError::Unreadable { path: path.to_owned(), source };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    let problem = match () {
        () if !metadata.is_file() => "it is no file",
        () if metadata.len() > MOST_BYTES => "it is larger than a static model can be",
        () => return fs::read(path).map_err(unreadable),
    };
    Err(ModelError::Unusable { path: path.to_owned(), problem: problem.to_owned() })
}

/// The folder's name, as far as it is plain.
fn label(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let label: String = name.chars().filter(plain).take(48).collect();
    if label.is_empty() { "model".to_owned() } else { label }
}

/// The vocabulary in the order of its numbers; one that the numbers leave out is a token no text has.
fn tokens(json: &[u8]) -> Result<Vec<String>, String> {
    let tokenizer: Value = serde_json::from_slice(json).map_err(|error| format!("no JSON: {error}"))?;
    let part = |name: &str| tokenizer.pointer(name).unwrap_or(&Value::Null);
    let kind = part("/model/type").as_str().unwrap_or("unknown");
    if kind != "WordPiece" {
        return Err(format!("its tokenizer is of the type {kind}; only WordPiece (BERT) is understood"));
    }
    let prefix = part("/model/continuing_subword_prefix").as_str().unwrap_or("##");
    if prefix != "##" {
        return Err(format!("it continues words with \"{prefix}\", not with \"##\""));
    }
    let normalizer = part("/normalizer/type").as_str().unwrap_or("none");
    let lowercase = part("/normalizer/lowercase").as_bool() == Some(true);
    let keeps_accents = part("/normalizer/strip_accents").as_bool() == Some(false);
    if normalizer != "BertNormalizer" || !lowercase || keeps_accents {
        return Err("it does not fold case and accents as BERT's uncased tokenizer does".to_owned());
    }
    let vocabulary = part("/model/vocab").as_object().ok_or("it has no vocabulary")?;
    let most = usize::from(Token::MAX);
    let mut tokens = Vec::new();
    for (token, number) in vocabulary {
        let number = number.as_u64().and_then(|number| usize::try_from(number).ok());
        let number = number.filter(|number| *number < most);
        let number = number.ok_or_else(|| format!("it has more than {most} tokens"))?;
        if tokens.len() <= number {
            tokens.resize(number + 1, String::new());
        }
        // Kept one a line.
        if !token.contains(['\n', '\r']) {
            token.clone_into(&mut tokens[number]);
        }
    }
    if tokens.is_empty() { Err("its vocabulary is empty".to_owned()) } else { Ok(tokens) }
}

struct Table {
    dimensions: usize,
    rows: Vec<u8>,
    weights: Vec<f32>,
}

fn read_table(bytes: &[u8], tokens: usize) -> Result<Table, String> {
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| format!("no safetensors: {error}"))?;
    let embeddings = tensors
        .tensor("embeddings")
        .map_err(|_| "it has no tensor `embeddings`: this is no static model (model2vec)".to_owned())?;
    let [rows, dimensions] = embeddings.shape() else {
        return Err("its `embeddings` are no table".to_owned());
    };
    let (rows, dimensions) = (*rows, *dimensions);
    if !(1..=MOST_DIMENSIONS).contains(&dimensions) {
        return Err(format!("its vectors have {dimensions} numbers; 1 to {MOST_DIMENSIONS} can be used"));
    }
    let mapping = tensors.tensor("mapping").ok().map(|tensor| numbers(&tensor)).transpose()?;
    let weights = tensors.tensor("weights").ok().map(|tensor| numbers(&tensor)).transpose()?;
    let place = |token: usize| match &mapping {
        Some(mapping) => mapping.get(token).map(|row| *row as usize),
        None => Some(token),
    };
    let known = mapping.as_ref().map_or(rows, Vec::len);
    if known != tokens || weights.as_ref().is_some_and(|weights| weights.len() != tokens) {
        return Err(format!("it has vectors for {known} tokens, and the tokenizer knows {tokens}"));
    }
    let size = width(embeddings.dtype())? * dimensions;
    let mut table = Table { dimensions, rows: Vec::with_capacity(tokens * dimensions), weights: Vec::new() };
    for token in 0..tokens {
        let row = place(token).filter(|row| *row < rows).ok_or("its `mapping` leads outside the table")?;
        let row = embeddings.data().get(row * size..(row + 1) * size).unwrap_or_default();
        let weight = weights.as_ref().and_then(|weights| weights.get(token)).map_or(1.0, |one| *one as f32);
        if embeddings.dtype() == Dtype::I8 {
            table.rows.extend_from_slice(row);
            table.weights.push(weight);
            continue;
        }
        let row = values(embeddings.dtype(), row)?;
        let scale = row.iter().fold(0.0_f32, |most, value| most.max(value.abs())) / 127.0;
        if row.iter().any(|value| !value.is_finite()) || !weight.is_finite() {
            return Err(format!("the vector of token {token} has something in it that is no number"));
        }
        let byte = |value: f32| (value / scale.max(f32::MIN_POSITIVE)).round().clamp(-127.0, 127.0) as i8;
        table.rows.extend(row.into_iter().map(|value| byte(value).cast_unsigned()));
        table.weights.push(weight * scale);
    }
    Ok(table)
}

/// Bytes of one number.
fn width(dtype: Dtype) -> Result<usize, String> {
    match dtype {
        Dtype::I8 => Ok(1),
        Dtype::F16 | Dtype::BF16 => Ok(2),
        Dtype::F32 => Ok(4),
        Dtype::F64 => Ok(8),
        other => Err(format!("its vectors are of the type {other:?}, which is not understood")),
    }
}

fn values(dtype: Dtype, bytes: &[u8]) -> Result<Vec<f32>, String> {
    Ok(match dtype {
        Dtype::I8 => bytes.iter().map(|byte| f32::from(byte.cast_signed())).collect(),
        Dtype::F16 => pairs(bytes).map(|pair| half::f16::from_le_bytes(pair).to_f32()).collect(),
        Dtype::BF16 => pairs(bytes).map(|pair| half::bf16::from_le_bytes(pair).to_f32()).collect(),
        Dtype::F32 => bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
        Dtype::F64 => {
            bytes.as_chunks::<8>().0.iter().map(|eight| f64::from_le_bytes(*eight) as f32).collect()
        }
        other => return Err(format!("its vectors are of the type {other:?}, which is not understood")),
    })
}

fn pairs(bytes: &[u8]) -> impl Iterator<Item = [u8; 2]> {
    bytes.as_chunks::<2>().0.iter().copied()
}

/// A tensor of one number a token.
fn numbers(tensor: &TensorView<'_>) -> Result<Vec<f64>, String> {
    let bytes = tensor.data();
    Ok(match tensor.dtype() {
        Dtype::I64 => {
            bytes.as_chunks::<8>().0.iter().map(|eight| i64::from_le_bytes(*eight) as f64).collect()
        }
        Dtype::I32 => {
            bytes.as_chunks::<4>().0.iter().map(|four| f64::from(i32::from_le_bytes(*four))).collect()
        }
        Dtype::F64 => bytes.as_chunks::<8>().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect(),
        other => values(other, bytes)?.into_iter().map(f64::from).collect(),
    })
}
