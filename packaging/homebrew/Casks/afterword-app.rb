cask "afterword-app" do
  version "@version@"
  sha256 "@dmg_sha256@"

  url "@files@/@dmg_file@"
  name "Afterword"
  desc "Lessons from your Claude Code sessions, as notes of your own"
  homepage "@repository@"

  depends_on arch: :arm64

  app "Afterword.app"
end
