//! Scratch.
use bakcast_scenarios::*;
fn main() {
    let args: Vec<_> = std::env::args().collect();
    let sets: Vec<_> = args[2..].iter().map(|s| Set::parse(s).unwrap()).collect();
    match Scenario::load_reference(&args[1], &sets) {
        Ok(l) => {
            println!(
                "{}\n---\n{}\n---\n{}\n---\n{:#?}",
                l.to_toml(),
                serde_json::to_string_pretty(&l.resolved_inputs()).unwrap(),
                l.statement(),
                l.resolved
            );
        }
        Err(e) => match e.problems() {
            Some(p) => println!("{}\n=====\n{p}", p.render(false)),
            None => println!("{e}"),
        },
    }
}
