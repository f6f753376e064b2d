//! Prepares the desktop program: its capabilities and its icons.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let attributes =
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*");
    tauri_build::try_build(attributes)?;
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    Ok(())
}
