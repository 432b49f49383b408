//! Reads what callgrind counted: instructions in all, and calls of the allocator.
//!
//! Callgrind does not replace `malloc`, so each allocation is an ordinary call edge in the profile, and no allocator of our
//! own has to count. The format is documented in the Valgrind manual, "Callgrind Format Specification".

use std::collections::HashMap;
use std::ops::Sub;

use crate::Result;

/// What a process did between its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub instructions: u64,
    pub allocations: u64,
}

impl Counts {
    /// Reads a profile as callgrind writes it.
    pub fn read(profile: &str) -> Result<Self> {
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut callee = "";
        let mut allocations = 0;
        let mut instructions = None;
        for line in profile.lines() {
            if let Some(name) = line.strip_prefix("cfn=") {
                callee = resolve(&mut names, name);
            } else if let Some(name) = line.strip_prefix("fn=") {
                resolve(&mut names, name);
            } else if let Some(calls) = line.strip_prefix("calls=") {
                if ALLOCATORS.contains(&callee) {
                    allocations += calls.split_ascii_whitespace().next().unwrap_or_default().parse::<u64>()?;
                }
            } else if let Some(total) = line.strip_prefix("totals:") {
                instructions = total.split_ascii_whitespace().next().map(str::parse).transpose()?;
            }
        }
        let instructions = instructions.ok_or("the profile has no totals: the server did not end by itself")?;
        Ok(Self { instructions, allocations })
    }
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_sub(earlier.instructions),
            allocations: self.allocations.saturating_sub(earlier.allocations),
        }
    }
}

/// A name stands written out once, behind its number in parentheses, and later is the number alone.
fn resolve<'a>(names: &mut HashMap<&'a str, &'a str>, text: &'a str) -> &'a str {
    let Some((number, name)) = text.split_once(')') else {
        return text;
    };
    let name = name.trim_start();
    if name.is_empty() {
        return names.get(number).copied().unwrap_or_default();
    }
    // The same function seen from another place carries a suffix: `malloc'2`.
    let name = name.split('\'').next().unwrap_or(name);
    names.insert(number, name);
    name
}

const ALLOCATORS: [&str; 6] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_the_allocator_are_summed_over_all_callers() {
        let profile = "events: Ir\nfn=(1) main\n12 5\ncfn=(2) malloc\ncalls=3 0\n12 300\ncfn=(3) free\ncalls=9 0\n13 90\n\
                       fn=(4) other\ncfn=(2)\ncalls=4 0\n1 400\ncfn=(5) realloc\ncalls=2 0\n2 20\nfn=(2)\n1 1\ntotals: 816\n";
        assert_eq!(Counts::read(profile).ok(), Some(Counts { instructions: 816, allocations: 9 }));
    }

    #[test]
    fn a_profile_that_was_cut_off_counts_nothing() {
        assert!(Counts::read("events: Ir\nfn=(1) main\n12 5\n").is_err());
    }
}
