import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadAppSecret } from '#security/app-secret.ts'
import { createVault } from '#security/cofre.ts'

const LUGAR = 'configuracoes|ia|conta-a|1'

describe('createVault', () => {
  const cofre = createVault('um-segredo-comprido-o-bastante')

  it('opens a value only in its place and unchanged', () => {
    const selado = cofre.seal('chave secreta', LUGAR)
    expect(cofre.open(selado, LUGAR)).toBe('chave secreta')
    expect(selado).not.toContain('secreta')
    expect(() => cofre.open(selado, 'configuracoes|ia|conta-b|1')).toThrow()
    for (let i = selado.lastIndexOf(':') + 1; i < selado.length - 1; i += 7) {
      const outra = selado[i] === 'A' ? 'B' : 'A'
      expect(() => cofre.open(`${selado.slice(0, i)}${outra}${selado.slice(i + 1)}`, LUGAR)).toThrow()
    }
  })

  it('seals the same text differently each time', () => {
    expect(cofre.seal('x', LUGAR)).not.toBe(cofre.seal('x', LUGAR))
  })

  it('opens values of older known secrets and seals with the newest', () => {
    const antigo = createVault('k1:primeiro-segredo').seal('x', LUGAR)
    const trocado = createVault('k2:segundo-segredo,k1:primeiro-segredo')
    expect(trocado.open(antigo, LUGAR)).toBe('x')
    expect(trocado.seal('x', LUGAR)).toMatch(/^selado:k2:/)
    expect(() => createVault('k2:segundo-segredo').open(antigo, LUGAR)).toThrow('k1')
  })
})

describe('loadAppSecret', () => {
  const pasta = mkdtempSync(join(tmpdir(), 'balcao-segredo-'))
  afterAll(() => rmSync(pasta, { recursive: true }))

  it('creates the secret once, readable only by its owner', () => {
    const segredo = loadAppSecret(pasta, undefined)
    expect(segredo.length).toBeGreaterThan(40)
    expect(loadAppSecret(pasta, undefined)).toBe(segredo)
    expect((statSync(join(pasta, 'app-secret')).mode & 0o777).toString(8)).toBe('600')
  })

  it.each(['', 'curto', 'changeme', 'segredo', 'APP_SECRET'])('rejects the weak secret %j', (ingenuo) => {
    expect(() => loadAppSecret(pasta, ingenuo)).toThrow('APP_SECRET')
  })
})
