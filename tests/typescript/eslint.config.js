// The generated modules have to pass the strictest rules that are about faults, not about taste.
import { dirname } from "node:path";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["**/*.js", "**/*.d.ts"] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir:
          process.env.ACP_LINTED ?? dirname(import.meta.filename),
      },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
  },
);
