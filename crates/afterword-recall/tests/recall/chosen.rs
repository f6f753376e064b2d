//! A model of the user's own, from a folder: read in any precision, refused with a reason, kept and loaded again.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use afterword_recall::model::PreparedModel;
use afterword_recall::{EmbeddingModel, ModelError};
use safetensors::tensor::{Dtype, TensorView};

const TABLE: &[u8] = include_bytes!("../../model/emb.bin");
const VOCABULARY: &str = include_str!("../../model/vocab.txt");
const TEXTS: [&str; 3] = ["Wait for the server's ready line in tests.", "E0502: clone the key", "größer"];

/// A tensor: its name, type, shape and bytes.
type Tensor = (&'static str, Dtype, Vec<usize>, Vec<u8>);

fn write(folder: &Path, tokenizer: &serde_json::Value, tensors: &[Tensor]) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let views: HashMap<String, TensorView<'_>> = tensors
        .iter()
        .map(|(name, dtype, shape, bytes)| {
            ((*name).to_owned(), TensorView::new(*dtype, shape.clone(), bytes).unwrap())
        })
        .collect();
    fs::write(folder.join("model.safetensors"), safetensors::serialize(&views, None).unwrap()).unwrap();
}

/// As the `tokenizers` library writes BERT's uncased tokenizer.
fn tokenizer<'a>(tokens: impl Iterator<Item = &'a str>) -> serde_json::Value {
    let vocabulary: serde_json::Map<String, serde_json::Value> =
        tokens.enumerate().map(|(number, token)| (token.to_owned(), number.into())).collect();
    serde_json::json!({
        "version": "1.0",
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary},
    })
}

fn tokens() -> usize {
    VOCABULARY.lines().count()
}

fn closest(one: &EmbeddingModel, other: &EmbeddingModel, text: &str) -> f32 {
    let vector = |model: &EmbeddingModel| model.vector(&model.tokens(text), |_| 1.0).unwrap();
    vector(one).iter().zip(vector(other)).map(|(one, other)| one * other).sum()
}

#[test]
fn the_shipped_table_as_a_folder_is_the_same_model() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("copy");
    let (rows, weights) = TABLE.split_at(tokens() * 256);
    let tensors = [
        ("embeddings", Dtype::I8, vec![tokens(), 256], rows.to_vec()),
        ("weights", Dtype::F32, vec![tokens()], weights.to_vec()),
    ];
    write(&folder, &tokenizer(VOCABULARY.lines()), &tensors);
    let (model, shipped) =
        (EmbeddingModel::from_folder(&folder).unwrap(), EmbeddingModel::embedded().unwrap());
    assert_eq!((model.dimensions(), model.vocabulary()), (256, tokens()));
    assert!(model.name().starts_with("copy-256-i8/"), "{}", model.name());
    for text in TEXTS {
        assert_eq!(model.tokens(text), shipped.tokens(text));
        assert!(closest(&model, &shipped, text) > 1.0 - 1e-6, "{text}");
    }
}

#[test]
fn tables_of_every_precision_are_read_with_their_weights() {
    let rows: [f32; 12] = [0.0, 0.0, 0.0, 1.5, -0.25, 0.0, 0.125, 3.0, 0.5, 0.75, 0.75, -0.5];
    let bytes = |write: &dyn Fn(f32) -> Vec<u8>| rows.iter().flat_map(|row| write(*row)).collect::<Vec<u8>>();
    let tables = [
        (Dtype::F64, bytes(&|row| f64::from(row).to_le_bytes().to_vec())),
        (Dtype::F32, bytes(&|row| row.to_le_bytes().to_vec())),
        (Dtype::F16, bytes(&|row| half::f16::from_f32(row).to_le_bytes().to_vec())),
        (Dtype::BF16, bytes(&|row| half::bf16::from_f32(row).to_le_bytes().to_vec())),
    ];
    let weights = [1.0_f64, 2.0, 0.5, 4.0];
    let weights = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect::<Vec<u8>>();
    let tokenizer = tokenizer(["[UNK]", "one", "two", "three"].into_iter());
    for (dtype, table) in tables {
        let home = tempfile::tempdir().unwrap();
        let tensors =
            [("embeddings", dtype, vec![4, 3], table), ("weights", Dtype::F64, vec![4], weights.clone())];
        write(home.path(), &tokenizer, &tensors);
        let model = EmbeddingModel::from_folder(home.path()).unwrap();
        // 2 × one + 4 × three, made as long as 1: (6, 2.5, -2) / 6.8.
        let vector = model.vector(&model.tokens("one three"), |_| 1.0).unwrap();
        for (own, expected) in vector.iter().zip([6.0, 2.5, -2.0]) {
            assert!((own - expected / 46.25_f32.sqrt()).abs() < 0.01, "{dtype:?}: {vector:?}");
        }
    }
}

/// Four tokens of three numbers.
fn small() -> (serde_json::Value, Vec<Tensor>) {
    let rows: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, -0.5];
    let bytes = rows.iter().flat_map(|row| row.to_le_bytes()).collect();
    (
        tokenizer(["[UNK]", "one", "two", "three"].into_iter()),
        vec![("embeddings", Dtype::F32, vec![4, 3], bytes)],
    )
}

#[test]
fn a_table_that_tokens_share_is_read_by_its_mapping() {
    let home = tempfile::tempdir().unwrap();
    let (tokenizer, mut tensors) = small();
    let mapping: Vec<u8> = [0_i64, 3, 3, 1].iter().flat_map(|row| row.to_le_bytes()).collect();
    tensors.push(("mapping", Dtype::I64, vec![4], mapping));
    write(home.path(), &tokenizer, &tensors);
    let model = EmbeddingModel::from_folder(home.path()).unwrap();
    let vector = |text: &str| model.vector(&model.tokens(text), |_| 1.0).unwrap();
    assert_eq!(vector("one"), [0.0, 0.0, -1.0]);
    assert_eq!(vector("two"), vector("one"));
    assert_eq!(vector("three"), [1.0, 0.0, 0.0]);
}

#[test]
fn what_is_no_model_is_refused_with_the_file_and_the_reason() {
    let home = tempfile::tempdir().unwrap();
    let check = |what: &str, change: &dyn Fn(&mut serde_json::Value, &mut Vec<Tensor>), expected: &str| {
        let folder = home.path().join(what);
        let (mut tokenizer, mut tensors) = small();
        change(&mut tokenizer, &mut tensors);
        write(&folder, &tokenizer, &tensors);
        let told = EmbeddingModel::from_folder(&folder).map(drop).unwrap_err().to_string();
        assert!(told.contains(expected) && told.contains(what), "{what}: {told}");
    };
    let missing = EmbeddingModel::from_folder(&home.path().join("nowhere")).map(drop).unwrap_err();
    assert!(
        matches!(&missing, ModelError::Unreadable { path, .. } if path.ends_with("nowhere/tokenizer.json"))
    );
    assert!(missing.hint().contains("model.safetensors"));
    check("unigram", &|json, _| json["model"]["type"] = "Unigram".into(), "of the type Unigram");
    check("cased", &|json, _| json["normalizer"]["lowercase"] = false.into(), "fold case");
    check("plain", &|json, _| json["normalizer"] = serde_json::Value::Null, "fold case");
    check("empty", &|json, _| json["model"]["vocab"] = serde_json::json!({}), "empty");
    check("wide", &|json, _| json["model"]["vocab"]["far"] = 9_999_999.into(), "more than 65535 tokens");
    check("negative", &|json, _| json["model"]["vocab"]["far"] = (-1).into(), "more than 65535 tokens");
    check(
        "more",
        &|json, _| json["model"]["vocab"]["four"] = 4.into(),
        "vectors for 4 tokens, and the tokenizer knows 5",
    );
    check("other", &|_, tensors| tensors[0].0 = "bert.embeddings", "no tensor `embeddings`");
    check("flat", &|_, tensors| tensors[0].2 = vec![12], "no table");
    check("integers", &|_, tensors| tensors[0].1 = Dtype::U32, "type U32");
    check("nan", &|_, tensors| tensors[0].3[4..8].copy_from_slice(&f32::NAN.to_le_bytes()), "token 0");
    let outside = |tensors: &mut Vec<Tensor>| {
        tensors.push((
            "mapping",
            Dtype::I64,
            vec![4],
            [0_i64, 1, -7, 9].iter().flat_map(|row| row.to_le_bytes()).collect(),
        ));
    };
    check("outside", &|_, tensors| outside(tensors), "outside the table");
    for file in ["tokenizer.json", "model.safetensors"] {
        let folder = home.path().join(format!("no-{file}"));
        let (tokenizer, tensors) = small();
        write(&folder, &tokenizer, &tensors);
        let whole = fs::read(folder.join(file)).unwrap();
        for end in 0..whole.len() {
            fs::write(folder.join(file), &whole[..end]).unwrap();
            let error = EmbeddingModel::from_folder(&folder).map(drop);
            assert!(matches!(error, Err(ModelError::Unusable { .. })), "{file} {end}: {error:?}");
        }
        fs::remove_file(folder.join(file)).unwrap();
        fs::create_dir(folder.join(file)).unwrap();
        assert!(EmbeddingModel::from_folder(&folder).is_err());
    }
}

#[test]
fn a_kept_model_is_the_same_and_a_damaged_one_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (tokenizer, tensors) = small();
    write(home.path(), &tokenizer, &tensors);
    let model = EmbeddingModel::from_folder(home.path()).unwrap();
    let kept = home.path().join("kept.model");
    let bytes = model.to_prepared("/models/small").unwrap();
    fs::write(&kept, &bytes).unwrap();
    let again = EmbeddingModel::prepared(&kept).unwrap();
    assert_eq!((again.name(), again.dimensions(), again.vocabulary()), (model.name(), 3, 4));
    let header = PreparedModel::header(&kept).unwrap();
    assert_eq!((header.name.as_str(), header.source.as_str()), (model.name(), "/models/small"));
    for text in ["one two", "three", "two"] {
        assert_eq!(again.vector(&again.tokens(text), |_| 1.0), model.vector(&model.tokens(text), |_| 1.0));
    }
    for end in 0..bytes.len() {
        fs::write(&kept, &bytes[..end]).unwrap();
        assert!(EmbeddingModel::prepared(&kept).is_err(), "{end}");
    }
    fs::write(&kept, [bytes.as_slice(), b"x"].concat()).unwrap();
    assert!(EmbeddingModel::prepared(&kept).is_err());
}

/// The folder that the shipped model was made from, where it is at hand.
#[test]
fn a_folder_that_model2vec_wrote_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/model");
    if !folder.join("model.safetensors").is_file() {
        return;
    }
    let (model, shipped) =
        (EmbeddingModel::from_folder(&folder).unwrap(), EmbeddingModel::embedded().unwrap());
    for text in TEXTS {
        assert_eq!(model.tokens(text), shipped.tokens(text));
    }
    // Tokens, and the first eight numbers of the vector and their sum: the Python packages `tokenizers` and `numpy` on this folder.
    for line in include_str!("model2vec.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [_, tokens, numbers] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let tokens: Vec<_> = tokens.split(' ').map(|token| token.parse().unwrap()).collect();
        let vector = model.vector(&tokens, |_| 1.0).unwrap();
        let expected: Vec<f32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        assert!(vector.iter().zip(&expected[..8]).all(|(own, theirs)| (own - theirs).abs() < 2e-5), "{line}");
        assert!((vector.iter().sum::<f32>() - expected[8]).abs() < 1e-3, "{line}");
    }
}
