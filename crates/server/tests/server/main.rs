//! The server over real connections.

mod answers;
mod browser;
mod clients;
mod fixture;
mod guard;
mod keys;
mod load;
mod loading;
mod openapi;
mod page;
mod proving;
mod rapidsnark;
mod states;
mod status;
mod verifying;
