//! The agent's turns on real files, with the time as an argument: nothing here waits for a clock.

mod directories;
mod finished;
mod following;
mod heartbeat;
mod inbox;
mod recovery;
mod test_agent;
mod verification;
mod web;
