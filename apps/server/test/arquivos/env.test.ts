import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { parseEnv } from '#env.ts'

const CHAVES = { S3_BUCKET: 'fotos', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'segredo' }

describe('parseEnv, file storage', () => {
  it('uses a folder unless S3_BUCKET is set', () => {
    expect(parseEnv({ DATA_DIR: '/dados' })).toMatchObject({ arquivosDir: '/dados/arquivos', s3: undefined })
    expect(parseEnv({ ARQUIVOS_DIR: '/rede/arquivos', S3_BUCKET: '' })).toMatchObject({
      arquivosDir: '/rede/arquivos',
      s3: undefined,
    })
  })

  it('uses Amazon’s endpoint of the region, or S3_ENDPOINT of another service', () => {
    const common = { bucket: 'fotos', accessKeyId: 'id', secretAccessKey: 'segredo' }
    const amazon = { ...common, endpoint: 'https://s3.sa-east-1.amazonaws.com', region: 'sa-east-1', pathStyle: false }
    expect(parseEnv({ ...CHAVES, S3_REGION: 'sa-east-1' }).s3).toEqual(amazon)
    const minio = { ...common, endpoint: 'http://minio:9000', region: 'us-east-1', pathStyle: true }
    expect(parseEnv({ ...CHAVES, S3_ENDPOINT: 'http://minio:9000' }).s3).toEqual(minio)
    expect(parseEnv({ ...CHAVES, S3_ENDPOINT: 'http://minio:9000', S3_PATH_STYLE: 'false' }).s3?.pathStyle).toBe(false)
  })

  it.each([
    [{ S3_BUCKET: 'fotos' }, /falta S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY/],
    [{ S3_ENDPOINT: 'http://minio:9000' }, /falta S3_BUCKET/],
    [{ ...CHAVES, S3_ENDPOINT: 'ftp://minio' }, /S3_ENDPOINT/],
    [{ ...CHAVES, ARQUIVOS_DIR: '/rede' }, /escolha ARQUIVOS_DIR ou S3_BUCKET/],
  ])('rejects incomplete settings with one sentence: %j', (env, error) => {
    expect(() => parseEnv(env)).toThrow(error)
  })
})

describe('parseEnv, name of the node', () => {
  it('is the machine and the port unless NO_NOME is set', () => {
    expect(parseEnv({ PORT: '3001' }).noNome).toBe(`${hostname()}:3001`)
    expect(parseEnv({ PORT: '3001', NO_NOME: 'loja-1' }).noNome).toBe('loja-1')
  })

  it.each(['nó 1', 'a"b', 'x'.repeat(101)])('rejects NO_NOME=%s', (NO_NOME) => {
    expect(() => parseEnv({ NO_NOME })).toThrow(/^Variáveis de ambiente inválidas: NO_NOME/)
  })
})

describe('parseEnv, trusted proxies', () => {
  it.each([
    [undefined, 0],
    ['false', 0],
    ['true', 1],
    ['1', 1],
    ['2', 2],
    ['10.0.0.7', ['10.0.0.7']],
    ['10.0.0.0/8, ::1, fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
  ])('reads TRUST_PROXY=%s as hops or networks', (TRUST_PROXY, expected) => {
    expect(parseEnv({ TRUST_PROXY }).trustProxy).toEqual(expected)
  })

  it.each(['sim', '-1', 'nginx', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8,', '::/129', '1.2.3'])(
    'rejects TRUST_PROXY=%s and names it',
    (TRUST_PROXY) => {
      expect(() => parseEnv({ TRUST_PROXY })).toThrow(/^Variáveis de ambiente inválidas: TRUST_PROXY/)
    },
  )
})

describe('parseEnv, copies', () => {
  it('makes no copies without COPIA_DIR, and one a day of which seven are kept', () => {
    expect(parseEnv({})).toMatchObject({ copiaDir: undefined, COPIA_HORAS: 24, COPIA_MANTER: 7 })
    expect(parseEnv({ COPIA_DIR: '/copias', COPIA_HORAS: '6' })).toMatchObject({ copiaDir: '/copias', COPIA_HORAS: 6 })
  })

  it.each([{ COPIA_HORAS: '0' }, { COPIA_HORAS: '721' }, { COPIA_MANTER: '0' }])('rejects %j', (env) => {
    expect(() => parseEnv(env)).toThrow(/COPIA_/)
  })
})

describe('PUSH_SERVICOS', () => {
  it('names hosts of push services, separated by commas', () => {
    expect(parseEnv({ PUSH_SERVICOS: 'avisos.loja.test, 10.0.0.7:8443' }).pushServices).toEqual([
      ...['avisos.loja.test', '10.0.0.7:8443'],
    ])
    expect(parseEnv({}).pushServices).toEqual([])
  })

  it.each(['https://avisos.loja.test', 'avisos.loja.test/x', '*.loja.test'])('rejects %s', (PUSH_SERVICOS) => {
    expect(() => parseEnv({ PUSH_SERVICOS })).toThrow('PUSH_SERVICOS')
  })
})
