use haft::tool;

/// Any type.
#[tool]
async fn generic<T: ToString>(value: T) -> String {
    value.to_string()
}

/// From elsewhere.
#[tool]
extern "C" fn elsewhere(id: u32) -> u32 {
    id
}

/// Something.
#[tool]
async fn something(id: u32) -> impl ToString {
    id
}

/// Taken apart.
#[tool]
async fn taken_apart((a, b): (u32, u32), all @ _: u32, #[cfg(unix)] only_there: u32) -> u32 {
    a + b + all + only_there
}

fn main() {}
