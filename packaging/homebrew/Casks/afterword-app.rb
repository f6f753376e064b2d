cask "afterword-app" do
  version "@version@"

  on_arm do
    url "@files@/@dmg_file@"
    sha256 "@dmg_sha256@"
  end
  on_intel do
    url "@files@/@dmg_intel_file@"
    sha256 "@dmg_intel_sha256@"
  end

  name "Afterword"
  desc "Lessons from your Claude Code sessions, as notes of your own"
  homepage "@repository@"

  app "Afterword.app"
end
