import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listWebhookEvents } from '#modules/oficial/repository.ts'
import { linhaRoute } from '@balcao/contract/routes/linhas'
import { isSignatureValid } from '#modules/oficial/webhook.ts'
import { type MetaLoja, saveMetaNumber } from './meta-loja.ts'
import { webhookBody, createFakeMeta, deliverWebhook, type FakeMeta } from './fake-meta.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { givenConta } from '#test/builders.ts'

/** The webhook routes with a stopped bot: entries stay in the journal. */

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let url = ''

beforeAll(async () => {
  meta = await createFakeMeta()
  app = await createTestApp({ oficialUrl: meta.url })
  loja = await saveMetaNumber(app, meta)
  url = loja.webhook(app)
})
afterAll(async () => {
  await app.close()
  await meta.close()
})

const stored = async (): Promise<unknown[]> =>
  (await app.sql('select id from oficial_chegadas order by ordem')).map(({ id }) => id)
const mensagem = (id: string) => ({
  messages: [{ from: '5511988887777', id, timestamp: '1760000000', type: 'text', text: { body: 'oi' } }],
})

describe('assinaturaConfere', () => {
  it('accepts only the full HMAC of the bytes', () => {
    // Computed with: printf '{"a":1}' | openssl dgst -sha256 -hmac chave
    const certa = 'sha256=4be8e3229938eca1dad7c58524f996953b7720e969ef1ac698a3fae149956279'
    const corpo = Buffer.from('{"a":1}')
    expect(isSignatureValid(corpo, certa, 'chave')).toBe(true)
    expect(isSignatureValid(Buffer.from('{"a":2}'), certa, 'chave')).toBe(false)
    expect(isSignatureValid(corpo, certa, 'outra')).toBe(false)
    expect(isSignatureValid(corpo, certa.slice(0, -2), 'chave')).toBe(false)
    expect(isSignatureValid(corpo, undefined, 'chave')).toBe(false)
  })

  it('rejects every signature without an app secret', () => {
    expect(isSignatureValid(Buffer.from(''), `sha256=${'0'.repeat(64)}`, '')).toBe(false)
  })
})

describe('GET webhook verification', () => {
  const perguntar = async (word: string, desafio = '1158201444'): Promise<[number, string]> => {
    const search = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': word,
      'hub.challenge': desafio,
    })
    const reply = await fetch(`${url}?${search.toString()}`)
    return [reply.status, await reply.text()]
  }

  it('returns the challenge for the right verify token', async () => {
    expect(await perguntar(loja.verifyToken)).toEqual([200, '1158201444'])
  })

  it('rejects a wrong verify token and a non-numeric challenge', async () => {
    const [other] = await perguntar('outra')
    const [page] = await perguntar(loja.verifyToken, '<script>')
    expect([other, page]).toEqual([403, 403])
  })
})

describe('POST webhook', () => {
  it('stores each message sealed and once before it answers', async () => {
    const corpo = webhookBody(meta, mensagem('wamid.UM'))
    expect(await deliverWebhook(url, corpo, meta.secret)).toBe(200)
    expect(await deliverWebhook(url, corpo, meta.secret)).toBe(200)
    expect(await stored()).toEqual(['m:wamid.UM'])
    const [line] = await app.sql('select valor from oficial_chegadas')
    expect(line?.['valor']).toMatch(/^selado:/)
  })

  it('rejects a missing or wrong signature with 403', async () => {
    expect(await deliverWebhook(url, webhookBody(meta, mensagem('wamid.FALSA')), 'outro-segredo')).toBe(403)
    const semAssinatura = await fetch(url, { method: 'POST', body: webhookBody(meta, mensagem('wamid.FALSA')) })
    expect(semAssinatura.status).toBe(403)
    expect(await stored()).not.toContain('m:wamid.FALSA')
  })

  it('answers 404 to unknown addresses and limits requests per IP', async () => {
    const other = url.slice(0, -4).concat('zzzz')
    expect(await deliverWebhook(other, webhookBody(meta, mensagem('wamid.PERDIDA')), meta.secret)).toBe(404)
    const left = async (em: string): Promise<(string | null)[]> => {
      const { headers } = await fetch(em, { method: 'POST' })
      return ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => headers.get(name))
    }
    // All unknown addresses share one limit per IP, and Meta's own has a separate one.
    expect((await left(url))[0]).toBe('1000')
    await waitUntil(async () => {
      const [[limite, uma], [, duas]] = await Promise.all([left(other), left(other.replace('zzzz', 'yyyy'))])
      expect(limite).toBe('200')
      return uma !== duas
    })
  })

  it('refuses 3 MB to an unknown address before it reads the body', async () => {
    const { port, pathname } = new URL(url.slice(0, -4).concat('zzzz'))
    const line = connect(Number(port), '127.0.0.1')
    // Only the headers: the answer does not wait for the announced body.
    line.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n`)
    line.write(`content-length: ${3 * 1024 * 1024}\r\n\r\n`)
    expect(await text(line)).toMatch(/^HTTP\/1\.1 404 .*naoEncontrado/s)
  })

  it('answers 404 and stores nothing for a deactivated or deleted account', async () => {
    const ana = await givenConta(app)
    const address = (await saveMetaNumber(ana, meta)).webhook(app)
    const path = `/admin/usuarios/${ana.usuario.id}`
    const storedForAna = () => app.sql('select id from oficial_chegadas where conta_id = $1', [ana.contaId])
    const deliver = (id: string) => deliverWebhook(address, webhookBody(meta, mensagem(id)), meta.secret)
    expect(await deliver('wamid.ATIVA')).toBe(200)
    expect((await app.request('PUT', `${path}/status`, { status: 'inativo' })).status).toBe(200)
    expect(await deliver('wamid.INATIVA')).toBe(404)
    expect((await app.request('PUT', `${path}/status`, { status: 'ativo' })).status).toBe(200)
    expect(await deliver('wamid.DE-NOVO')).toBe(200)
    expect((await app.request('DELETE', path)).status).toBe(200)
    expect(await deliver('wamid.EXCLUIDA')).toBe(404)
    expect(await storedForAna()).toEqual([{ id: 'm:wamid.ATIVA' }, { id: 'm:wamid.DE-NOVO' }])
  })

  it('accepts and ignores other numbers, other kinds and foreign bodies', async () => {
    const before = await stored()
    for (const corpo of [
      webhookBody(meta, mensagem('wamid.OUTRO'), '999'),
      webhookBody(meta, { messages: [{ id: 7 }], statuses: [{ id: 'wamid.X', status: 'sonhada' }] }),
      JSON.stringify({ object: 'page', entry: [] }),
      '[]',
      'null',
    ]) {
      expect(await deliverWebhook(url, corpo, meta.secret)).toBe(200)
    }
    expect(await stored()).toEqual(before)
  })

  it('stores the valid entries of a batch with invalid ones', async () => {
    const before = await stored()
    const bom = z.object({ entry: z.array(z.unknown()) }).parse(JSON.parse(webhookBody(meta, mensagem('wamid.FEIXE'))))
    const status = {
      id: 'wamid.F',
      biz_opaque_callback_data: randomUUID(),
      status: 'failed',
      errors: [{ code: '131047' }],
    }
    const ouvida = { id: 'wamid.F', biz_opaque_callback_data: randomUUID(), status: 'played', errors: 'nenhum' }
    const outro = z
      .object({ entry: z.array(z.unknown()) })
      .parse(JSON.parse(webhookBody(meta, { statuses: [status, ouvida], errors: [{ code: 131000 }] })))
    const entry = [
      { id: '1', messaging: [] },
      { changes: [{ field: 'account_update', value: {} }, null] },
      ...bom.entry,
    ]
    const corpo = JSON.stringify({ object: 'whatsapp_business_account', entry: [...entry, ...outro.entry] })
    expect(await deliverWebhook(url, corpo, meta.secret)).toBe(200)
    expect((await stored()).slice(before.length)).toEqual(['m:wamid.FEIXE', 's:failed:wamid.F', 's:played:wamid.F'])
  })

  it('rejects invalid JSON and bodies over 3 MB', async () => {
    expect(await deliverWebhook(url, '{', meta.secret)).toBe(400)
    expect(await deliverWebhook(url, ' '.repeat(3 * 1024 * 1024 + 1), meta.secret)).toBe(413)
  })

  it('skips an entry of more than 100 KB and stores the others', async () => {
    const large = { ...mensagem('wamid.GRANDE').messages[0], extra: 'x'.repeat(200_000) }
    const corpo = webhookBody(meta, { messages: [large, ...mensagem('wamid.PEQUENA').messages] })
    expect(await deliverWebhook(url, corpo, meta.secret)).toBe(200)
    expect(await stored()).toContain('m:wamid.PEQUENA')
    expect(await stored()).not.toContain('m:wamid.GRANDE')
  })

  it('answers 503 while 50 MB wait', async () => {
    await app.sql(
      `insert into oficial_chegadas (conta_id, id, valor)
       select conta_id, 'y' || n, repeat('x', 1000000) from oficial_contas, generate_series(1, 50) as n`,
    )
    expect(await deliverWebhook(url, webhookBody(meta, mensagem('wamid.PESADA')), meta.secret)).toBe(503)
    const { contaId } = app.admin
    // A page of the reader has 5 MB.
    const page = await app.deps.db.read(contaId, (tx) => listWebhookEvents(tx, { linhaId: contaId, skip: [] }))
    expect(page.filter(({ id }) => id.startsWith('y'))).toHaveLength(5)
    await app.sql(`delete from oficial_chegadas where id = 'y1'`)
    expect(await deliverWebhook(url, webhookBody(meta, mensagem('wamid.PESADA')), meta.secret)).toBe(200)
    await app.sql(`delete from oficial_chegadas where id like 'y%'`)
  })

  it('answers 503 while the journal is full', async () => {
    await app.sql(
      `insert into oficial_chegadas (conta_id, id, valor)
       select conta_id, 'x' || n, '' from oficial_contas, generate_series(1, 10000) as n`,
    )
    expect(await deliverWebhook(url, webhookBody(meta, mensagem('wamid.TARDE')), meta.secret)).toBe(503)
    await app.sql(`delete from oficial_chegadas where id like 'x%'`)
    expect(await deliverWebhook(url, webhookBody(meta, mensagem('wamid.TARDE')), meta.secret)).toBe(200)
  })
})

it('deletes waiting messages of an erased titular, with or without ninth digit', async () => {
  const de = (from: string, id: string) => ({
    messages: [{ from, id, timestamp: '1760000000', type: 'text', text: { body: 'oi' } }],
  })
  for (const corpo of [
    de('5511977770001', 'wamid.COM'),
    de('551177770001', 'wamid.SEM'),
    de('5511977770002', 'wamid.BIA'),
  ])
    expect(await deliverWebhook(url, webhookBody(meta, corpo), meta.secret)).toBe(200)
  await app.sql(
    `with c as (
       insert into contatos (conta_id, id, nome, telefone, endereco)
       select conta_id, gen_random_uuid(), 'Ana', '5511977770001', 'tel:5511977770001' from oficial_contas returning conta_id, id)
     insert into enderecos (conta_id, endereco, contato_id) select conta_id, 'tel:5511977770001', id from c`,
  )
  expect((await app.request('DELETE', '/lgpd/titulares/5511977770001')).status).toBe(200)
  const ficaram = await stored()
  expect(ficaram).toContain('m:wamid.BIA')
  expect(ficaram.filter((id) => id === 'm:wamid.COM' || id === 'm:wamid.SEM')).toEqual([])
})

it('deletes waiting messages by the user id and never by its digits', async () => {
  const contato = async (nome: string, ...enderecos: string[]): Promise<void> => {
    await app.sql(
      `with c as (
         insert into contatos (conta_id, id, nome, endereco)
         select conta_id, gen_random_uuid(), $1, $2 from oficial_contas returning conta_id, id)
       insert into enderecos (conta_id, endereco, contato_id) select c.conta_id, e, c.id from c, unnest($3::text[]) as e`,
      [nome, enderecos[0], enderecos],
    )
  }
  const de = (names: object, id: string) => ({
    messages: [{ ...names, id, timestamp: '1760000000', type: 'text', text: { body: 'oi' } }],
  })
  await contato('Sem número', 'BR.5511977770008')
  await contato('Com número', 'tel:5511977770008')
  await app.sql(
    `insert into logs (conta_id, id, tipo, mensagem, timestamp)
     select conta_id, gen_random_uuid(), 'info', 'Falha com (11) 97777-0008', now() from oficial_contas`,
  )
  const move = { system: { type: 'user_changed_user_id', previous_user_id: 'BR.5511977770008', user_id: 'BR.9' } }
  for (const corpo of [
    de({ from: '5511977770008' }, 'wamid.NUMERO'),
    de({ from_user_id: 'BR.55119777700089' }, 'wamid.OUTRO-ID'),
    de({ from_user_id: 'BR.5511977770008' }, 'wamid.ID'),
    { messages: [{ id: 'wamid.TROCA', timestamp: '1760000000', type: 'system', ...move }] },
  ])
    expect(await deliverWebhook(url, webhookBody(meta, corpo), meta.secret)).toBe(200)
  const reply = await app.request('DELETE', '/lgpd/titulares/BR.5511977770008')
  expect(reply).toMatchObject({ status: 200, body: { apagado: { registros: 0 } } })
  const ficaram = await stored()
  expect(ficaram).toEqual(expect.arrayContaining(['m:wamid.NUMERO', 'm:wamid.OUTRO-ID']))
  expect(ficaram.filter((id) => id === 'm:wamid.ID' || id === 'm:wamid.TROCA')).toEqual([])
})

describe('PUT /whatsapp-oficial', () => {
  it('returns masked keys, keeps them on save and stores them sealed', async () => {
    const { oficial } = (await app.request('GET', '/whatsapp-oficial')).body
    expect(oficial).toMatchObject({
      ...meta.number,
      token: '••••••••1234',
      segredo: expect.stringMatching(/^••••••••/),
    })
    await app.request('PUT', '/whatsapp-oficial', { ...meta.number, token: '••••••••1234', segredo: '••••••••tivo' })
    expect(await deliverWebhook(url, webhookBody(meta, mensagem('wamid.AINDA')), meta.secret)).toBe(200)
    const [line] = await app.sql('select token, segredo, verificacao from oficial_contas')
    expect(Object.values(line ?? {})).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^selado:/)))
  })

  it('rejects all fields when an id is invalid', async () => {
    const { status, body } = await app.request('PUT', '/whatsapp-oficial', {
      ...meta.number,
      telefoneId: 'x',
      token: '',
    })
    expect([status, body['codigo']]).toEqual([400, 'dadosInvalidos'])
  })
})

describe('the webhooks of two lines', () => {
  it('store their deliveries apart, also with the same id', async () => {
    const dona = await givenConta(app)
    const first = await saveMetaNumber(dona, meta)
    const created = await dona.request('POST', '/linhas', { nome: 'Filial', conector: 'oficial' })
    const { id } = linhaRoute.response.parse(created.body).linha
    const branch = { ...meta, number: { ...meta.number, telefoneId: '222222222222222' } }
    const second = await saveMetaNumber(dona, branch, `/linhas/${id}/oficial`)
    for (const [shop, number] of [
      [first, meta],
      [second, branch],
    ] as const) {
      expect(await deliverWebhook(shop.webhook(app), webhookBody(number, mensagem('wamid.AMBAS')), meta.secret)).toBe(
        200,
      )
      // A delivery for the other number is not of this line.
      const other = number === meta ? branch : meta
      expect(await deliverWebhook(shop.webhook(app), webhookBody(other, mensagem('wamid.OUTRA')), meta.secret)).toBe(
        200,
      )
    }
    const rows = await app.sql('select linha_id, id from linhas_oficial_chegadas where conta_id = $1', [dona.contaId])
    expect(rows).toHaveLength(2)
    expect(new Set(rows.map((row) => row['linha_id']))).toEqual(new Set([dona.contaId, id]))
    expect(new Set(rows.map((row) => row['id'])).size).toBe(1)
    expect((await dona.request('GET', '/whatsapp-oficial')).body).toMatchObject({ oficial: meta.number })
    expect((await dona.request('GET', `/linhas/${id}/oficial`)).body).toMatchObject({ oficial: branch.number })
  })
})
