mod log;
mod report;

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| "tally.log".into());
    let text = std::fs::read_to_string(&path).expect("log file");
    let entries = log::parse(&text);
    print!("{}", report::table(&entries));
}
