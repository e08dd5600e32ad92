import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
/** Without a tag, the commit that added it is the version before. */
const FIRST_MIGRATION = 'apps/server/migrations/0121_chaves_em_uso.sql'
const BUILD = "import('./scripts/build.mjs').then((build) => build.ensureBuilt())"

export interface OldVersion {
  readonly commit: string
  readonly main: string
  /** Files of its panel. */
  readonly assets: string
  readonly remove: () => Promise<void>
}

/** Folder of the files that the panel of this version loads. */
export const ASSETS = assetsOf(ROOT)

function assetsOf(root: string): string {
  return join(root, 'apps', 'web', 'dist', 'assets')
}

async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', ['-C', ROOT, ...args])).stdout.trim()
}

/** `ANTERIOR`, else the newest tag, else the commit of the migration above. */
async function chooseCommit(): Promise<string> {
  const given = process.env['ANTERIOR']
  if (given !== undefined) return git('rev-parse', '--verify', `${given}^{commit}`)
  const tag = await git('describe', '--tags', '--abbrev=0').catch(() => null)
  return tag ?? git('log', '--diff-filter=A', '--format=%H', '--', FIRST_MIGRATION)
}

/** Builds the version before this one in a worktree. It must have the same package-lock.json. */
export async function buildOldVersion(): Promise<OldVersion> {
  const commit = await chooseCommit()
  const parent = await mkdtemp(join(tmpdir(), 'balcao-anterior-'))
  const root = join(parent, 'balcao')
  const remove = async (): Promise<void> => {
    await rm(parent, { recursive: true, force: true })
    await git('worktree', 'prune')
  }
  try {
    await git('worktree', 'add', '--detach', root, commit)
    await linkPackages(root)
    await run(process.execPath, ['-e', BUILD], { cwd: root })
  } catch (error) {
    await remove()
    throw error
  }
  return { commit, main: join(root, 'apps', 'server', 'start.mjs'), assets: assetsOf(root), remove }
}

/** Copies the installed packages as hard links. The links of the workspace are relative, so they lead to this version. */
async function linkPackages(root: string): Promise<void> {
  const [old, own] = await Promise.all(
    [root, ROOT].map((folder) => readFile(join(folder, 'package-lock.json'), 'utf8')),
  )
  if (old !== own) throw new Error('the version before has another package-lock.json: install and build it by hand')
  const folders = globSync('{node_modules,{apps,packages}/*/node_modules}', { cwd: ROOT })
  for (const folder of folders) {
    const copy = (option: string): Promise<unknown> => run('cp', [option, join(ROOT, folder), join(root, folder)])
    // Links do not cross file systems.
    await copy('-al').catch(() => copy('-a'))
  }
}
