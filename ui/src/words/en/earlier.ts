/** What stands in the reasons of notes of earlier versions: a score, the confidence, and other words. */
export const EARLIER: [RegExp, string][] = [
  [/ \(score \d+ of 100\)\.?/, ""],
  [/^[a-z][a-z -]*, (?:high|medium|low) confidence(?:: )?/, ""],
  [/\bthe person had told what they saw/gi, "you had said what you saw"],
  [/\bthe person was content afterwards/gi, "you were content afterwards"],
  [/\bthe person says what was expected/gi, "you said what you expected"],
  [/\bthe person points to what is there already/gi, "you pointed to what is there already"],
  [/\bthe person (decide|object|narrow)s/gi, "you $1ed"],
  [/\byou decideed/g, "you decided"],
  [/\bthe person\b/gi, "you"],
  [/\bthe agent\b/gi, "Claude"],
  [/taken together, small signs speak for it/i, "several small signs speak for it together"],
];
