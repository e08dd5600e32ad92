import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { exportarTitularRoute, titularRoute } from '@balcao/contract/routes/lgpd'
import { createFakeMeta, type FakeMeta } from './fake-meta.ts'
import { type MetaLoja, startMetaLoja, untilSettled } from './meta-loja.ts'
import { createMetaPerson, type MetaPerson, nowSeconds } from './meta-person.ts'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { givenConta, openConversas } from '#test/builders.ts'

/** People without a number: found by `@nome`, in every list, exported and erased. */

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let people = 0

beforeAll(async () => {
  meta = await createFakeMeta()
  app = await createTestApp({ oficialUrl: meta.url, oficialTimings: { confirmationMs: 50, reconnectDelay: () => 50 } })
  loja = await startMetaLoja(app, meta)
})
afterAll(async () => {
  await app.close()
  await meta.close()
})

interface Quem extends MetaPerson {
  readonly name: string
  readonly names: { readonly userId: string; readonly username: string }
}

function pessoa(apelido: string): Quem {
  people += 1
  const digits = String(people).padStart(4, '0')
  const name = `${apelido} ${digits}`
  const names = { userId: `BR.700${digits}A`, username: `${apelido.toLowerCase()}_${digits}` }
  return { ...createMetaPerson({ meta, webhook: () => loja.webhook(app), name }), name, names }
}

const settled = () => untilSettled(app)
async function naFila(quem: Quem): Promise<Conversa> {
  await quem.says(quem.names, 'atendente')
  await settled()
  const [conversa] = await busca(`@${quem.names.username}`)
  if (conversa === undefined) throw new Error(`${quem.name} is not in the queue`)
  return conversa
}
const busca = (texto: string): Promise<readonly Conversa[]> => openConversas(app, `?busca=${encodeURIComponent(texto)}`)
const titular = (typed: string, path = '') => app.request('GET', `/lgpd/titulares/${encodeURIComponent(typed)}${path}`)
const contatoDe = async ({ name }: Quem) =>
  (await app.sql('select id, telefone, nome_usuario from contatos where nome = $1', [name]))[0]

describe('people without a number', () => {
  it('shows people without a number in every list', async () => {
    const quem = pessoa('Ana')
    const { id } = await naFila(quem)
    const cliente = { nome: quem.name, telefone: '', nomeUsuario: quem.names.username }
    expect((await openConversas(app)).find((one) => one.id === id)?.cliente).toEqual(cliente)
    const ours = (list: unknown, field: string): unknown => {
      const rows: unknown[] = Array.isArray(list) ? list : []
      return rows.find((row) => Object(row)[field] === quem.name)
    }
    // The list of active conversas is cached for a moment.
    const active = await waitUntil(
      async () => ours((await app.request('GET', '/bot/status')).body['conversasAtivas'], 'nome') ?? null,
    )
    expect(active).toMatchObject({ telefone: '' })
    const { body: written } = await app.request('GET', '/mensagens')
    expect(ours(written['mensagens'], 'contato')).toMatchObject({ telefone: '' })

    await app.request('POST', `/atendimento/conversas/${id}/finalizar`)
    await quem.says(quem.names, '5')
    await settled()
    expect((await openConversas(app, '?status=finalizada')).find((one) => one.id === id)?.cliente).toEqual(cliente)
    const { body: ratings } = await app.request('GET', '/atendimento/avaliacoes')
    expect(JSON.stringify(ratings)).toContain(JSON.stringify(cliente))
  })

  it('finds people by the beginning of their user name', async () => {
    const [quem, other] = [pessoa('Bento'), pessoa('Bento')]
    await naFila(quem)
    await naFila(other)
    const found = async (texto: string) => (await busca(texto)).map(({ cliente }) => cliente.nome)
    expect(await found(`@${quem.names.username.toUpperCase()}`)).toEqual([quem.name])
    expect((await found('@bento')).toSorted()).toEqual([quem.name, other.name])
    expect(await found(quem.names.username)).toEqual([quem.name])
    // `_` is a letter of the name and no wildcard.
    expect(await found('@bent__')).toEqual([])
    expect(await found('@ento')).toEqual([])
  })

  it('names people by their user name when the owner wrote first', async () => {
    const quem = pessoa('Caio')
    await quem.isToldOnPhone(quem.names, 'seu pedido chegou')
    await settled()
    await quem.agentSays(quem.names, 'Posso ajudar?', { at: nowSeconds() + 1 })
    await settled()
    const [conversa] = await busca(`@${quem.names.username}`)
    expect(conversa?.cliente).toEqual({
      ...{ nome: `@${quem.names.username}`, telefone: '', nomeUsuario: quem.names.username },
    })
  })
})

describe('user names', () => {
  it('gives a user name to its newest owner', async () => {
    const [before, after] = [pessoa('Davi'), pessoa('Eva')]
    await naFila(before)
    await after.says({ ...after.names, username: before.names.username }, 'atendente')
    await settled()
    expect((await busca(`@${before.names.username}`)).map(({ cliente }) => cliente.nome)).toEqual([after.name])
    expect(await contatoDe(before)).toMatchObject({ nome_usuario: '' })
    expect((await titular(`@${before.names.username}`)).body).toMatchObject({ titular: { nome: after.name } })
  })

  it('follows a changed user name of one person', async () => {
    const quem = pessoa('Nina')
    await naFila(quem)
    await quem.says({ ...quem.names, username: 'novo.nome' }, 'mudei de nome')
    await settled()
    expect(await busca(`@${quem.names.username}`)).toEqual([])
    expect((await busca('@novo.nome')).map(({ cliente }) => cliente.nome)).toEqual([quem.name])
  })

  it('keeps user names within their conta', async () => {
    const quem = pessoa('Gil')
    await naFila(quem)
    const neighbour = await givenConta(app)
    const path = encodeURIComponent(`@${quem.names.username}`)
    expect(await openConversas(neighbour, `?busca=${path}`)).toEqual([])
    expect((await neighbour.request('GET', `/lgpd/titulares/${path}`)).status).toBe(404)
    expect((await neighbour.request('DELETE', `/lgpd/titulares/${quem.names.userId}`)).status).toBe(404)
    expect(await contatoDe(quem)).toBeDefined()
  })
})

describe('rights of people without a number', () => {
  it('exports people by user name, user id and protocol number', async () => {
    const quem = pessoa('Hugo')
    const { protocolo } = await naFila(quem)
    await quem.moves({ from: quem.names, to: { userId: `${quem.names.userId}2` } })
    await settled()
    for (const typed of [`@${quem.names.username}`, quem.names.userId, protocolo]) {
      const summary = titularRoute.response.parse((await titular(typed)).body).titular
      expect(summary).toMatchObject({ nome: quem.name, telefone: '', nomeUsuario: quem.names.username })
      const { contato, mensagens } = exportarTitularRoute.response.parse((await titular(typed, '/exportacao')).body)
      expect(contato).toMatchObject({ nomeUsuario: quem.names.username, telefone: '' })
      expect(contato.enderecos).toEqual([quem.names.userId, `${quem.names.userId}2`])
      expect(contato.mudancas).toEqual([
        { endereco: quem.names.userId, deixado: true, em: expect.any(String) },
        { endereco: `${quem.names.userId}2`, deixado: false, em: expect.any(String) },
      ])
      expect(mensagens.map(({ texto }) => texto)).toContain('atendente')
    }
    expect((await titular('@ninguem')).body).toMatchObject({
      erro: 'Nenhum cliente com este nome de usuário ou protocolo. Nada dele está guardado aqui.',
    })
  })

  it('erases people by user name, with log lines that contain it', async () => {
    const [quem, namesake] = [pessoa('Iara'), pessoa('Iara')]
    await naFila(quem)
    await naFila(namesake)
    const insertLog = (mensagem: string) =>
      app.sql(
        `insert into logs (conta_id, id, tipo, mensagem, timestamp) values ($1, gen_random_uuid(), 'info', $2, now())`,
        [app.admin.contaId, mensagem],
      )
    await insertLog(`Pedido de @${quem.names.username}, para hoje`)
    await insertLog(`Pedido de @${quem.names.username}.maria`)
    await app.request('POST', '/bot/parar')
    await quem.says(quem.names, 'guardada até o bot voltar')
    expect((await app.request('DELETE', `/lgpd/titulares/@${quem.names.username}`)).status).toBe(200)
    expect(await app.sql('select 1 from oficial_chegadas')).toEqual([])
    await app.request('POST', '/bot/iniciar')
    expect(await contatoDe(quem)).toBeUndefined()
    expect(await contatoDe(namesake)).toBeDefined()
    expect((await titular(quem.names.userId)).status).toBe(404)
    expect(await app.sql(`select mensagem from logs where mensagem like 'Pedido de %'`)).toEqual([
      { mensagem: `Pedido de @${quem.names.username}.maria` },
    ])
    const { rows } = await app.database.owner.query<{ count: number }>(
      `select count(*)::int from enderecos where endereco = $1`,
      [quem.names.userId],
    )
    expect(rows[0]?.count).toBe(0)
  })
})
