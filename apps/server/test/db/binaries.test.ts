import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyBinaries, findBinaries, linkLibraries } from '#db/embedded/binaries.ts'

let folder: string
let copy: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'balcao-binarios-'))
  linkLibraries(findBinaries())
  copy = copyBinaries(findBinaries(), join(folder, 'postgresql'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const links = (): string[] =>
  readdirSync(join(copy, 'lib'), { withFileTypes: true })
    .filter((input) => input.isSymbolicLink())
    .map(({ name }) => name)

function version(): string {
  const env = { LD_LIBRARY_PATH: join(copy, 'lib'), DYLD_LIBRARY_PATH: join(copy, 'lib') }
  return spawnSync(join(copy, 'bin', 'postgres'), ['--version'], { env }).stdout.toString()
}

describe('copyBinaries and linkLibraries', () => {
  it('copies the programs once, runnable, without links to the outside', () => {
    expect(version()).toMatch(/^postgres \(PostgreSQL\) 18\./)
    expect(copyBinaries(findBinaries(), join(folder, 'postgresql'))).toBe(copy)
    expect(readdirSync(join(folder, 'postgresql'))).toEqual(['native'])
    for (const link of links()) expect(readlinkSync(join(copy, 'lib', link))).not.toContain('/')
  })

  it('creates the library links that an install without scripts omits', () => {
    const names = links()
    for (const nome of names) unlinkSync(join(copy, 'lib', nome))
    linkLibraries(copy)
    expect(links()).toEqual(names)
    expect(existsSync(join(copy, 'lib', names[0] ?? ''))).toBe(true)
    expect(version()).toMatch(/^postgres \(PostgreSQL\) 18\./)
  })
})
