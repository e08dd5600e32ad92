import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadAppSecret } from '#security/app-secret.ts'
import { createVault } from '#security/vault.ts'

const LUGAR = 'configuracoes|ia|conta-a|1'

describe('createVault', () => {
  const vault = createVault('um-segredo-comprido-o-bastante')

  it('opens a value only in its place and unchanged', () => {
    const sealed = vault.seal('chave secreta', LUGAR)
    expect(vault.open(sealed, LUGAR)).toBe('chave secreta')
    expect(sealed).not.toContain('secreta')
    expect(() => vault.open(sealed, 'configuracoes|ia|conta-b|1')).toThrow()
    for (let i = sealed.lastIndexOf(':') + 1; i < sealed.length - 1; i += 7) {
      const other = sealed[i] === 'A' ? 'B' : 'A'
      expect(() => vault.open(`${sealed.slice(0, i)}${other}${sealed.slice(i + 1)}`, LUGAR)).toThrow()
    }
  })

  it('seals the same text differently each time', () => {
    expect(vault.seal('x', LUGAR)).not.toBe(vault.seal('x', LUGAR))
  })

  it('opens values of older known secrets and seals with the newest', () => {
    const old = createVault('k1:primeiro-segredo').seal('x', LUGAR)
    const trocado = createVault('k2:segundo-segredo,k1:primeiro-segredo')
    expect(trocado.open(old, LUGAR)).toBe('x')
    expect(trocado.seal('x', LUGAR)).toMatch(/^selado:k2:/)
    expect(() => createVault('k2:segundo-segredo').open(old, LUGAR)).toThrow('k1')
  })

  it('makes one counter key per text and secret, unlike its fingerprint', () => {
    const key = vault.counterKey('ana@loja.test')
    expect(key).toBe(vault.counterKey('ana@loja.test'))
    expect(key).not.toBe(vault.counterKey('bia@loja.test'))
    expect(key).not.toBe(createVault('outro-segredo-bem-comprido').counterKey('ana@loja.test'))
    expect(vault.fingerprint('ana@loja.test', '')).not.toContain(key)
  })
})

describe('loadAppSecret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-segredo-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('creates the secret once, readable only by its owner', () => {
    const secret = loadAppSecret(folder, undefined)
    expect(secret.length).toBeGreaterThan(40)
    expect(loadAppSecret(folder, undefined)).toBe(secret)
    expect((statSync(join(folder, 'app-secret')).mode & 0o777).toString(8)).toBe('600')
  })

  it.each(['', 'curto', 'changeme', 'segredo', 'APP_SECRET'])('rejects the weak secret %j', (ingenuo) => {
    expect(() => loadAppSecret(folder, ingenuo)).toThrow('APP_SECRET')
  })
})
