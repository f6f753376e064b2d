/** Why a lesson was found, each reason a sentence without its full stop, in English. */
import type { CountedReason, KnownReason } from "../../platform/contract";
import { num, sessions, some } from "./count";

const times = (count: number) => (count === 1 ? "once" : `${num(count)} times`);

interface Reasons {
  reasons: {
    known: Record<KnownReason, string>;
    counted: Record<CountedReason, (count: number) => string>;
    inPlaceOf: (title: string) => string;
    /** What a model said of it, in its own words. */
    model: (words: string) => string;
    /** Another may follow it. */
    sentence: (words: string) => string;
  };
}

export const reasons: Reasons = {
  reasons: {
    known: {
      "holds-beyond": "A rule that holds beyond this edit",
      "stated-plainly": "A rule stated plainly",
      "asked-to-remember": "You asked to remember it",
      "ruled-out": "Something is ruled out",
      decided: "You decided",
      preferred: "One way is preferred to another",
      expected: "You said what you expected",
      "design-settled": "A question of design is settled",
      objected: "You objected",
      "already-there": "You pointed to what is there already",
      narrowed: "You narrowed the scope",
      "reason-given": "A reason is given",
      "offer-chosen": "One of the offered options is chosen",
      "choice-made": "A choice is made",
      "left-for-later": "Left for later",
      "issue-named": "An issue or a list is named for it",
      conceded: "Claude conceded",
      agreed: "Claude agreed",
      "good-point": "Claude called it a good point",
      "will-keep": "Claude said that it will keep to it",
      "work-changed": "Claude changed its work accordingly",
      "answers-offer": "It answers what Claude had offered",
      "answers-asked": "It answers what Claude had asked",
      "rejected-call": "It was the reason for rejecting a call",
      "said-to-plan": "It was said to a plan",
      "answers-question": "It answers a question Claude put",
      "files-at-once": "Files were changed at once",
      "files-soon": "Files were changed soon after",
      "cause-named": "Claude names a cause",
      "cause-explained": "Claude explains it",
      "cause-confirmed": "Claude calls it confirmed",
      "failed-right-before": "Something had failed right before",
      "failed-before": "Something had failed before",
      "error-spoken-of": "You had spoken of an error",
      "seen-said": "You had said what you saw",
      "change-followed": "A change followed at once",
      "you-agreed": "You agreed afterwards",
      "you-were-content": "You were content afterwards",
      "small-signs": "Several small signs speak for it together",
      "changes-before": "It changes what you said before",
      filed: "You asked to have it written down for later, and Claude filed it",
      mended: "A command failed, something was changed, and the same command worked",
      "saved-by-name": "Saved because it was asked for by name",
      "written-by-you": "Written by you",
      "saved-by-agent": "Saved by an agent at work, without words of yours that ask for it",
      "observed-by-agent": "Observed by an agent at work",
    },
    counted: {
      sessions: (count) => `Asked for in ${sessions(count)} of this project`,
      times: (count) => `Asked for ${times(count)} in this session`,
      "earlier-sessions": (count) => `Came up in ${some(count, "earlier session")} of this project too`,
      "same-error": (count) => `The same error came ${times(count)}`,
      "mended-after": (count) => `A command failed ${times(count)}, something was changed, and the same command worked`,
      messages: (count) => `Over ${some(count, "message")}`,
    },
    inPlaceOf: (title) => `Offered in the place of “${title}”`,
    model: (words) => `The model: ${words}`,
    sentence: (words) => `${words}. `,
  },
};
