import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
    const trocado = createVault('k2:segundo-segredo-novo,k1:primeiro-segredo')
    expect(trocado.open(old, LUGAR)).toBe('x')
    expect(trocado.seal('x', LUGAR)).toMatch(/^selado:k2:/)
    expect(() => createVault('k2:segundo-segredo-novo').open(old, LUGAR)).toThrow('k1')
  })

  it('recognizes a signature of any known secret and no other', () => {
    const signature = vault.sign('conta|arquivo|10')
    expect(vault.isSigned('conta|arquivo|10', signature)).toBe(true)
    expect(vault.isSigned('conta|arquivo|11', signature)).toBe(false)
    expect(vault.isSigned('conta|arquivo|10', vault.counterKey('conta|arquivo|10'))).toBe(false)
    const other = createVault('outro-segredo-bem-comprido')
    expect(other.isSigned('conta|arquivo|10', signature)).toBe(false)
    const rotated = createVault('k2:outro-segredo-bem-comprido,k1:um-segredo-comprido-o-bastante')
    expect(rotated.isSigned('conta|arquivo|10', signature)).toBe(true)
    expect(rotated.sign('conta|arquivo|10')).toBe(other.sign('conta|arquivo|10'))
  })

  it('refuses another text of the same signature bytes', () => {
    const signature = vault.sign('conta|arquivo|10')
    const bytes = Buffer.from(signature, 'base64url')
    // 32 bytes leave two bits of the last character unused.
    const unusedBits = `${signature.slice(0, -1)}${String.fromCharCode(signature.charCodeAt(42) + 1)}`
    for (const other of [unusedBits, `${signature}=`, `${signature}!`, ` ${signature}`]) {
      expect(Buffer.from(other, 'base64url')).toEqual(bytes)
      expect([other, vault.isSigned('conta|arquivo|10', other)]).toEqual([other, false])
    }
  })

  it('makes one counter key per text and secret, unlike its fingerprint', () => {
    const key = vault.counterKey('ana@loja.test')
    expect(key).toBe(vault.counterKey('ana@loja.test'))
    expect(key).not.toBe(vault.counterKey('bia@loja.test'))
    expect(key).not.toBe(createVault('outro-segredo-bem-comprido').counterKey('ana@loja.test'))
    expect(vault.fingerprint('ana@loja.test', '')).not.toContain(key)
  })
})

describe('parseSecrets', () => {
  it.each([
    ['um segredo sem nome, mas com vírgula', 'vírgula'],
    ['abc,defghijklmnopqrstu', 'vírgula'],
    ['k2:segundo-segredo-novo,', 'vírgula'],
    ['k1:primeiro-segredo,k1:segundo-segredo-novo', 'o nome k1'],
    ['k2:a,k1:bbbbbbbbbbbbbbbbbbbb', 'em cada chave'],
    ['k2:aaaaaaaaaaaaaaaaaaaa,k1:bbbbbbbbbbb', 'em cada chave'],
    ['k1:menor-que-16', 'em cada chave'],
    ['', 'em cada chave'],
  ])('rejects %j with a sentence', (list, sentence) => {
    expect(() => createVault(list)).toThrow(sentence)
  })

  it.each([
    'um-segredo-comprido-o-bastante',
    ' um segredo: com espaços = e sinais ',
    'k7:um-segredo-comprido-o-bastante',
    'k2:segundo-segredo-novo, k1:primeiro-segredo',
    'k10:segundo-segredo-novo,k1:k2:primeiro-segredo',
  ])('accepts %j: opens every value that it sealed', (list) => {
    const vault = createVault(list)
    expect(vault.open(vault.seal('x', LUGAR), LUGAR)).toBe('x')
    // A secret that becomes the older one still opens its values.
    const last = list.split(',').at(-1)?.trim() ?? ''
    const named = /^k\d+:/.test(last) ? last : `k1:${last}`
    const old = createVault(last).seal('x', LUGAR)
    expect(createVault(`k99:segredo-ainda-mais-novo,${named}`).open(old, LUGAR)).toBe('x')
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

  it.each(['', 'cortado-pela-queda-de-energia'])('refuses the file %j, cut off by a power failure', (rest) => {
    const broken = mkdtempSync(join(folder, 'quebrado-'))
    writeFileSync(join(broken, 'app-secret'), rest)
    expect(() => loadAppSecret(broken, undefined)).toThrow(/app-secret está incompleto.*Recupere-o/)
    expect(readFileSync(join(broken, 'app-secret'), 'utf8')).toBe(rest)
  })

  it('warns of a secret below 32 characters and keeps it', () => {
    const said: string[] = []
    const load = (secret: string): string => loadAppSecret(folder, secret, (sentence) => said.push(sentence))
    expect(load('k2:um-segredo-com-mais-de-32-caracteres,k1:primeiro-segredo')).toContain('k1:')
    expect(said).toEqual([expect.stringContaining('menos de 32 caracteres')])
    load('um-segredo-com-mais-de-32-caracteres')
    expect(said).toHaveLength(1)
  })

  it.each(['', 'curto', 'changeme', 'segredo', 'APP_SECRET'])('rejects the weak secret %j', (ingenuo) => {
    expect(() => loadAppSecret(folder, ingenuo)).toThrow('APP_SECRET')
  })
})
