//! The prompts behind `/memory`: what the agent is to do with the tools, in words.

/// `reflect`
pub(crate) const REFLECT: &str = "Call the `reflect` tool of the afterword server, with nothing but what I say here. \
    It answers at once. If it says `queued`, tell me that you are reflecting in the background and will share the results when \
    they are ready; then, on my next turn, call `reflect_status` with its job_id and, once it is `completed`, tell me in a few \
    lines what was learned and what waits for my review. If it says `already_running`, say so and do not ask again. If it \
    fails, give me the reason in one sentence. What I say: ";

/// `status`
pub(crate) const STATUS: &str = "Call the `stats` tool of the afterword server and tell me in a few lines how many reflections \
    wait and run, what the last one found, and how many lessons wait for my review.";

/// `review`
pub(crate) const REVIEW: &str = "Call the `review` tool of the afterword server with the action `list`. Show me the lessons that wait one at a time: \
    title, text, why it was found, and its evidence; where it comes close to a lesson I have, or contradicts one, say which. Ask me \
    each time: approve, edit, reject, skip, or supersede the other. Then call it with the action I chose and my words as I typed \
    them, and go on with the next. Never choose for me.";

/// `search`
pub(crate) const SEARCH: &str = "Call the `retrieve` tool of the afterword server with this as the query and tell me the lessons that fit, each \
    with its note's path: ";

/// `save`
pub(crate) const SAVE: &str = "Save this as a lesson with the `memory` tool of the afterword server, action `save`. Take my words for the title, \
    and for the body, where I said more than the title does, whole and in their order; in other words than mine it waits for my review, and so tell me when it does. If a lesson says otherwise already (look with `retrieve`), ask me whether it is \
    to take its place, and use the action `evolve` then. The lesson: ";

/// `inspect`
pub(crate) const INSPECT: &str = "Call the `memory` tool of the afterword server with the action `inspect`, for this session if I name no other, and show me what \
    was found: each candidate with its category, its confidence, and why it got it. The session: ";

/// `attempt`, before the task.
pub(crate) const ATTEMPT: &str = "Go by what these attempts taught: keep what worked, and do not repeat what did not without a reason. Do the task. \
    When it is done or given up, call the `reflection_store` tool of the afterword server with `sessionId` \"current\": the task in a sentence, the outcome (`success` only if it \
    was checked, by tests, a build or the user's word), what worked, what did not, and what to try next. The task: ";

/// `attempt`, where nothing is known.
pub(crate) const NO_ATTEMPT: &str = "No earlier attempt at such a task is known in this project.";

/// `outcome`
pub(crate) const OUTCOME: &str = "Look back on the task you just worked on and call the `reflection_store` tool of the afterword server with `sessionId` \"current\": the \
    task in a sentence, the outcome (`success` only if it was checked, by tests, a build or my word; `partial` where a part is left; `failure` else), what worked, what did not, \
    each in a sentence that helps without this session, and what to try next. Then tell me in one line what you stored. What I say to it: ";
