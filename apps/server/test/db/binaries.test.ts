import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyBinaries, findBinaries, linkLibraries } from '#db/embedded/binaries.ts'

let pasta: string
let copia: string

beforeAll(() => {
  pasta = mkdtempSync(join(tmpdir(), 'balcao-binarios-'))
  linkLibraries(findBinaries())
  copia = copyBinaries(findBinaries(), join(pasta, 'postgresql'))
})
afterAll(() => rmSync(pasta, { recursive: true }))

const links = (): string[] =>
  readdirSync(join(copia, 'lib'), { withFileTypes: true })
    .filter((entrada) => entrada.isSymbolicLink())
    .map(({ name }) => name)

function version(): string {
  const env = { LD_LIBRARY_PATH: join(copia, 'lib'), DYLD_LIBRARY_PATH: join(copia, 'lib') }
  return spawnSync(join(copia, 'bin', 'postgres'), ['--version'], { env }).stdout.toString()
}

describe('copyBinaries and linkLibraries', () => {
  it('copies the programs once, runnable, without links to the outside', () => {
    expect(version()).toMatch(/^postgres \(PostgreSQL\) 18\./)
    expect(copyBinaries(findBinaries(), join(pasta, 'postgresql'))).toBe(copia)
    expect(readdirSync(join(pasta, 'postgresql'))).toEqual(['native'])
    for (const link of links()) expect(readlinkSync(join(copia, 'lib', link))).not.toContain('/')
  })

  it('creates the library links that an install without scripts omits', () => {
    const nomes = links()
    for (const nome of nomes) unlinkSync(join(copia, 'lib', nome))
    linkLibraries(copia)
    expect(links()).toEqual(nomes)
    expect(existsSync(join(copia, 'lib', nomes[0] ?? ''))).toBe(true)
    expect(version()).toMatch(/^postgres \(PostgreSQL\) 18\./)
  })
})
