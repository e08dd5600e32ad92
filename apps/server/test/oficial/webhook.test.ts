import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assinaturaConfere } from '#modules/oficial/assinatura.ts'
import { type Casa, createCasa } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import { type Loja, preencher } from './loja.ts'
import { aviso, createMetaFalsa, entregarAviso, type MetaFalsa } from './meta-falsa.ts'

/** The door that Meta knocks at, with the bot stopped: what comes in stays in the journal. */

let meta: MetaFalsa
let casa: Casa
let loja: Loja
let url = ''

beforeAll(async () => {
  meta = await createMetaFalsa()
  casa = await createCasa({ oficialUrl: meta.url })
  loja = await preencher(casa, meta)
  url = loja.webhook(casa)
})
afterAll(async () => {
  await casa.close()
  await meta.close()
})

const guardadas = async (): Promise<unknown[]> =>
  (await casa.sql('select id from oficial_chegadas order by ordem')).map(({ id }) => id)
const mensagem = (id: string) => ({
  messages: [{ from: '5511988887777', id, timestamp: '1760000000', type: 'text', text: { body: 'oi' } }],
})

describe('the signature', () => {
  it('is that of the bytes, with the secret of the app, in full', () => {
    // Computed apart: printf '{"a":1}' | openssl dgst -sha256 -hmac chave
    const certa = 'sha256=4be8e3229938eca1dad7c58524f996953b7720e969ef1ac698a3fae149956279'
    const corpo = Buffer.from('{"a":1}')
    expect(assinaturaConfere(corpo, certa, 'chave')).toBe(true)
    expect(assinaturaConfere(Buffer.from('{"a":2}'), certa, 'chave')).toBe(false)
    expect(assinaturaConfere(corpo, certa, 'outra')).toBe(false)
    expect(assinaturaConfere(corpo, certa.slice(0, -2), 'chave')).toBe(false)
    expect(assinaturaConfere(corpo, undefined, 'chave')).toBe(false)
  })

  it('of an account without a secret is nobody’s', () => {
    expect(assinaturaConfere(Buffer.from(''), `sha256=${'0'.repeat(64)}`, '')).toBe(false)
  })
})

describe('the question whether the webhook is ours', () => {
  const perguntar = async (palavra: string, desafio = '1158201444'): Promise<[number, string]> => {
    const busca = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': palavra,
      'hub.challenge': desafio,
    })
    const resposta = await fetch(`${url}?${busca.toString()}`)
    return [resposta.status, await resposta.text()]
  }

  it('is answered with its challenge, to who knows the word', async () => {
    expect(await perguntar(loja.verificacao)).toEqual([200, '1158201444'])
  })

  it('is refused with another word, or with a challenge that could be a page', async () => {
    const [outra] = await perguntar('outra')
    const [pagina] = await perguntar(loja.verificacao, '<script>')
    expect([outra, pagina]).toEqual([403, 403])
  })
})

describe('what Meta brings', () => {
  it('is kept before the answer, sealed, once, however often it comes', async () => {
    const corpo = aviso(meta, mensagem('wamid.UM'))
    expect(await entregarAviso(url, corpo, meta.segredo)).toBe(200)
    expect(await entregarAviso(url, corpo, meta.segredo)).toBe(200)
    expect(await guardadas()).toEqual(['m:wamid.UM'])
    const [linha] = await casa.sql('select valor from oficial_chegadas')
    expect(linha?.['valor']).toMatch(/^selado:/)
  })

  it('is not read without the right signature', async () => {
    expect(await entregarAviso(url, aviso(meta, mensagem('wamid.FALSA')), 'outro-segredo')).toBe(403)
    const semAssinatura = await fetch(url, { method: 'POST', body: aviso(meta, mensagem('wamid.FALSA')) })
    expect(semAssinatura.status).toBe(403)
    expect(await guardadas()).not.toContain('m:wamid.FALSA')
  })

  it('finds nobody at another address, nor looks for ever', async () => {
    const outra = url.slice(0, -4).concat('zzzz')
    expect(await entregarAviso(outra, aviso(meta, mensagem('wamid.PERDIDA')), meta.segredo)).toBe(404)
    const restam = async (em: string): Promise<(string | null)[]> => {
      const { headers } = await fetch(em, { method: 'POST' })
      return ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((nome) => headers.get(nome))
    }
    // Whoever tries many is counted for all of them, and Meta's own is not held up by it.
    expect((await restam(url))[0]).toBe('1000')
    await ate(async () => {
      const [[limite, uma], [, duas]] = await Promise.all([restam(outra), restam(outra.replace('zzzz', 'yyyy'))])
      expect(limite).toBe('200')
      return uma !== duas
    })
  })

  it('of another number, of another kind, or that is no webhook at all, is taken and left alone', async () => {
    const antes = await guardadas()
    for (const corpo of [
      aviso(meta, mensagem('wamid.OUTRO'), '999'),
      aviso(meta, { messages: [{ id: 7 }], statuses: [{ id: 'wamid.X', status: 'sonhada' }] }),
      JSON.stringify({ object: 'page', entry: [] }),
      '[]',
      'null',
    ]) {
      expect(await entregarAviso(url, corpo, meta.segredo)).toBe(200)
    }
    expect(await guardadas()).toEqual(antes)
  })

  it('in a bundle is taken to the last piece, whatever is wrong with the ones before', async () => {
    const antes = await guardadas()
    const bom = z.object({ entry: z.array(z.unknown()) }).parse(JSON.parse(aviso(meta, mensagem('wamid.FEIXE'))))
    const status = {
      id: 'wamid.F',
      biz_opaque_callback_data: randomUUID(),
      status: 'failed',
      errors: [{ code: '131047' }],
    }
    const ouvida = { id: 'wamid.F', biz_opaque_callback_data: randomUUID(), status: 'played', errors: 'nenhum' }
    const outro = z
      .object({ entry: z.array(z.unknown()) })
      .parse(JSON.parse(aviso(meta, { statuses: [status, ouvida], errors: [{ code: 131000 }] })))
    const entry = [
      { id: '1', messaging: [] },
      { changes: [{ field: 'account_update', value: {} }, null] },
      ...bom.entry,
    ]
    const corpo = JSON.stringify({ object: 'whatsapp_business_account', entry: [...entry, ...outro.entry] })
    expect(await entregarAviso(url, corpo, meta.segredo)).toBe(200)
    expect((await guardadas()).slice(antes.length)).toEqual(['m:wamid.FEIXE', 's:failed:wamid.F', 's:played:wamid.F'])
  })

  it('is refused when it is no JSON, or larger than Meta ever sends', async () => {
    expect(await entregarAviso(url, '{', meta.segredo)).toBe(400)
    expect(await entregarAviso(url, ' '.repeat(3 * 1024 * 1024 + 1), meta.segredo)).toBe(413)
  })

  it('waits at Meta when too much waits here', async () => {
    await casa.sql(
      `insert into oficial_chegadas (conta_id, id, valor)
       select conta_id, 'x' || n, '' from oficial_contas, generate_series(1, 10000) as n`,
    )
    expect(await entregarAviso(url, aviso(meta, mensagem('wamid.TARDE')), meta.segredo)).toBe(503)
    await casa.sql(`delete from oficial_chegadas where id like 'x%'`)
    expect(await entregarAviso(url, aviso(meta, mensagem('wamid.TARDE')), meta.segredo)).toBe(200)
  })
})

it('what waits of a customer goes when they are erased, with or without the ninth digit, and of nobody else', async () => {
  const de = (from: string, id: string) => ({
    messages: [{ from, id, timestamp: '1760000000', type: 'text', text: { body: 'oi' } }],
  })
  for (const corpo of [
    de('5511977770001', 'wamid.COM'),
    de('551177770001', 'wamid.SEM'),
    de('5511977770002', 'wamid.BIA'),
  ])
    expect(await entregarAviso(url, aviso(meta, corpo), meta.segredo)).toBe(200)
  await casa.sql(
    `with c as (
       insert into contatos (conta_id, id, nome, telefone, endereco)
       select conta_id, gen_random_uuid(), 'Ana', '5511977770001', 'tel:5511977770001' from oficial_contas returning conta_id, id)
     insert into enderecos (conta_id, endereco, contato_id) select conta_id, 'tel:5511977770001', id from c`,
  )
  expect((await casa.pedir('DELETE', '/lgpd/titulares/5511977770001')).status).toBe(200)
  const ficaram = await guardadas()
  expect(ficaram).toContain('m:wamid.BIA')
  expect(ficaram.filter((id) => id === 'm:wamid.COM' || id === 'm:wamid.SEM')).toEqual([])
})

describe('the keys of the account', () => {
  it('leave masked, are kept when they come back so, and rest sealed', async () => {
    const { oficial } = (await casa.pedir('GET', '/whatsapp-oficial')).body
    expect(oficial).toMatchObject({
      ...meta.numero,
      token: '••••••••1234',
      segredo: expect.stringMatching(/^••••••••/),
    })
    await casa.pedir('PUT', '/whatsapp-oficial', { ...meta.numero, token: '••••••••1234', segredo: '••••••••tivo' })
    expect(await entregarAviso(url, aviso(meta, mensagem('wamid.AINDA')), meta.segredo)).toBe(200)
    const [linha] = await casa.sql('select token, segredo, verificacao from oficial_contas')
    expect(Object.values(linha ?? {})).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^selado:/)))
  })

  it('are refused as a whole when an id is no id', async () => {
    const { status, body } = await casa.pedir('PUT', '/whatsapp-oficial', {
      ...meta.numero,
      telefoneId: 'x',
      token: '',
    })
    expect([status, body['codigo']]).toEqual([400, 'dadosInvalidos'])
  })
})
