import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chavePushRoute, inscreverPushRoute, inscricoesPushRoute } from '@balcao/contract/routes/push'
import { deleteFinishedNotices, queueDueNotices } from '#modules/push/notices.ts'
import { createNoticeSender } from '#modules/push/send-notices.ts'
import { deleteEndedSubscriptions } from '#modules/push/subscriptions.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  saveConfig,
  withVendas,
} from '#test/builders.ts'
import { addLine, connectLine, waitingOn } from '#test/linhas/lines.ts'
import { createPushService, type PushService } from '#test/push/push-service.ts'

let app: TestApp
let dona: TestUser
let service: PushService
let customers = 0
const newPhone = (): string => `55119660${String((customers += 1)).padStart(5, '0')}`

const subscribe = async (quem: TestUser, name?: string): Promise<string> => {
  const { status, body } = await quem.request('POST', '/push/inscricoes', service.subscription(name))
  expect(status).toBe(201)
  return inscreverPushRoute.response.parse(body).id
}
/** Queues the notices and sends those that are due. */
const settled = async (): Promise<void> => {
  await queueDueNotices(app.deps)
  const sender = createNoticeSender(app.deps)
  await sender.start()
  await sender.idle()
}
const notices = async (count: number): Promise<PushService['received']> => {
  await settled()
  await waitUntil(() => service.received.length >= count)
  return service.received
}
const openOf = (quem: TestUser, id: string) => quem.request('GET', `/atendimento/conversas/${id}/mensagens`)
const opened = (id: string): Promise<true> =>
  waitUntil(
    async () =>
      (await app.sql('select from push_avisos where conversa_id = $1 and aberta_em is not null', [id])).length > 0,
  )

beforeAll(async () => {
  service = await createPushService()
  app = await createTestApp({ pushLoopback: true, pushServices: ['avisos.loja.test'] })
  dona = await givenConta(app)
  await connectBot(dona, withVendas)
})
beforeEach(async () => {
  service.received.length = 0
  service.answer = 201
  await app.sql('delete from push_avisos')
  await app.sql('delete from push_inscricoes')
  await app.sql('delete from tentativas')
})
afterAll(async () => {
  await app.close()
  service.close()
})

describe('POST /push/inscricoes', () => {
  it.each([
    'http://push.exemplo/x',
    'https://10.0.0.8/x',
    'https://169.254.169.254/x',
    'https://[fd00::1]/x',
    'https://[::ffff:10.0.0.8]/x',
    'https://intranet/x',
    'https://banco.internal/x',
    'https://push.exemplo/x',
    'https://fcm.googleapis.com.exemplo/x',
    'https://mal-notify.windows.com/x',
    'https://fcm.googleapis.com:8443/x',
    'http://fcm.googleapis.com/x',
    'https://a:b@fcm.googleapis.com/x',
    'ftp://push.exemplo/x',
    'x',
  ])('refuses %s', async (endpoint) => {
    const body = { ...service.subscription(), endpoint }
    expect((await dona.request('POST', '/push/inscricoes', body)).status).toBe(400)
  })

  it.each([
    'fcm.googleapis.com',
    'updates.push.services.mozilla.com',
    'web.push.apple.com',
    'wns2-sn3p.notify.windows.com',
    'avisos.loja.test',
  ])('accepts %s', async (host) => {
    const body = { ...service.subscription(), endpoint: `https://${host}/send/abc` }
    expect((await dona.request('POST', '/push/inscricoes', body)).status).toBe(201)
  })

  it('names the browsers whose services are accepted', async () => {
    const body = { ...service.subscription(), endpoint: 'https://push.exemplo/x' }
    expect((await dona.request('POST', '/push/inscricoes', body)).body).toMatchObject({
      ...{ codigo: 'dadosInvalidos', erro: expect.stringMatching(/serviço de avisos.*Chrome.*Firefox/) },
    })
  })

  it('refuses invalid keys and keeps the id of a known address', async () => {
    const { endpoint, keys } = service.subscription()
    for (const wrong of [
      { ...keys, auth: 'YQ' },
      { ...keys, p256dh: keys.auth },
    ]) {
      expect((await dona.request('POST', '/push/inscricoes', { endpoint, keys: wrong })).status).toBe(400)
    }
    expect(await subscribe(dona)).toBe(await subscribe(dona))
    const rui = await givenOperador(app, dona, { nome: 'Rui' })
    const id = await subscribe(rui, 'outro')
    expect((await dona.request('DELETE', `/push/inscricoes/${id}`)).status).toBe(404)
    expect((await rui.request('DELETE', `/push/inscricoes/${id}`)).status).toBe(204)
    expect((await rui.request('DELETE', `/push/inscricoes/${randomUUID()}`)).status).toBe(404)
  })
})

describe('a notice', () => {
  it('is encrypted for the browser and signed with the one key of the installation', async () => {
    const { chavePublica } = chavePushRoute.response.parse((await dona.request('GET', '/push/chave')).body)
    expect((await dona.request('GET', '/push/chave')).body).toEqual({ chavePublica })
    await subscribe(dona)
    expect((await dona.request('POST', '/push/teste')).status).toBe(202)
    expect(await notices(1)).toEqual([{ titulo: 'Os avisos funcionam neste aparelho', tipo: 'teste' }])
    expect(service.senders.at(-1)).toBe(chavePublica)
    const [row] = await app.sql('select vapid_privada from configuracoes_admin')
    expect(row?.['vapid_privada']).toMatch(/^selado:/)
  })

  it('is sent once for a waiting conversa, and again for a message after the usuario took it', async () => {
    await subscribe(dona)
    const phone = newPhone()
    const id = await givenWaitingCustomer(dona, phone)
    await customerSays(dona, phone, 'segredo do cliente', 'mais um')
    expect(await notices(1)).toEqual([{ titulo: 'Um cliente espera atendimento', tipo: 'fila', conversaId: id }])
    await dona.request('POST', `/atendimento/conversas/${id}/assumir`)
    await customerSays(dona, phone, 'segredo', 'outro segredo')
    expect((await notices(2))[1]).toEqual({
      ...{ titulo: 'Nova mensagem em uma conversa sua', tipo: 'mensagem', conversaId: id },
    })
    await customerSays(dona, phone, 'terceiro')
    await settled()
    expect(service.received).toHaveLength(2)
    await openOf(dona, id)
    await opened(id)
    await settled()
    expect(service.received).toHaveLength(2)
    await customerSays(dona, phone, 'quarto')
    expect(await notices(3)).toHaveLength(3)
    expect(JSON.stringify(service.received)).not.toContain('segredo')
  })

  it('reaches only the person who gets a conversa, and all when no person is free', async () => {
    const distribute = (modo: 'automatica' | 'manual') =>
      saveConfig(dona, (config) => {
        const distribuicao = { ...config.atendimento.distribuicao, modo }
        return { ...config, atendimento: { ...config.atendimento, distribuicao } }
      })
    await distribute('automatica')
    const caio = await givenOperador(app, dona, { nome: 'Caio' })
    await subscribe(dona)
    await subscribe(caio, 'do-caio')
    await app.sql(`update push_inscricoes set criada_em = now() - interval '10 seconds'`)
    const kinds = (id: string) => service.received.filter(({ conversaId }) => conversaId === id).map(({ tipo }) => tipo)
    const waiting = await givenWaitingCustomer(dona, newPhone())
    await app.sql('update conversas set aguardando_desde = now() where id = $1', [waiting])
    await queueDueNotices(app.deps)
    expect(await app.sql('select from push_avisos where conversa_id = $1', [waiting])).toEqual([])
    await app.sql(`update conversas set aguardando_desde = now() - interval '6 seconds' where id = $1`, [waiting])
    await waitUntil(async () => (await app.sql('select from sinais')).length === 0)
    await settled()
    await waitUntil(() => kinds(waiting).length === 2)
    const { socket } = await app.connect(caio)
    const given = await givenWaitingCustomer(dona, newPhone())
    const served = async (): Promise<unknown[]> =>
      app.sql('select from conversas where id = any ($1) and operador_id = $2', [[waiting, given], caio.usuario.id])
    await waitUntil(async () => (await served()).length === 2)
    for (let look = 0; look < 2; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the second look must find nothing new
      await settled()
    }
    await waitUntil(() => kinds(given).length > 0 && kinds(waiting).length > 2)
    expect([kinds(waiting), kinds(given)]).toEqual([['fila', 'fila', 'mensagem'], ['mensagem']])
    socket.close()
    await distribute('manual')
  })

  it('follows setores and preferences and shows the name only if it is wanted', async () => {
    const vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] })
    await subscribe(vera)
    await subscribe(dona, 'da-dona')
    const off = await dona.request('PUT', '/push/preferencias', { filaDosMeusSetores: false })
    expect(off.body).toMatchObject({ filaDosMeusSetores: false, minhasConversas: true, mostrarNome: false })
    await vera.request('PUT', '/push/preferencias', { mostrarNome: true })
    const id = await givenWaitingCustomer(dona, newPhone(), '7')
    await dona.request('POST', `/atendimento/conversas/${id}/transferir`, { setor: 'suporte' })
    await settled()
    const other = await givenWaitingCustomer(dona, newPhone(), '7')
    const sent = await notices(1)
    expect(sent.filter(({ conversaId }) => conversaId === other)).toEqual([
      { titulo: 'Bia espera atendimento', tipo: 'fila', conversaId: other },
    ])
    await dona.request('PUT', '/push/preferencias', { filaDosMeusSetores: true })
  })

  it('reaches people of the line of the conversa only', async () => {
    const { id: filial } = await addLine(dona, 'Filial')
    await connectLine(dona, filial)
    const lia = await givenOperador(app, dona, { nome: 'Lia', linhas: [filial] })
    await subscribe(lia)
    await givenWaitingCustomer(dona, newPhone())
    await settled()
    const other = await waitingOn(dona, filial, newPhone())
    const sent = await notices(1)
    expect(sent.map(({ conversaId }) => conversaId)).toEqual([other])
  })

  it('reaches a mentioned person who may read the conversa', async () => {
    const vera = await givenOperador(app, dona, { nome: 'Vera' })
    const id = await givenWaitingCustomer(dona, newPhone())
    await subscribe(vera)
    const nota = { texto: 'veja isto', mencoes: [vera.usuario.id] }
    expect((await dona.request('POST', `/atendimento/conversas/${id}/notas`, nota)).status).toBe(201)
    expect(await notices(1)).toEqual([{ titulo: 'Mencionaram você em uma nota', tipo: 'mencao', conversaId: id }])
  })

  it('is sent for a lost connection', async () => {
    await subscribe(dona)
    const others = (wanted: boolean) => ({ filaDosMeusSetores: wanted, minhasConversas: wanted, mencoes: wanted })
    await dona.request('PUT', '/push/preferencias', others(false))
    await app.sql(`update push_inscricoes set criada_em = now() - interval '1 hour'`)
    await app.sql(`update bots set desconectado_desde = now() - interval '1 minute' where conta_id = $1`, [
      dona.contaId,
    ])
    expect(await notices(1)).toEqual([{ titulo: 'O bot está desconectado', tipo: 'botDesconectado' }])
    await settled()
    expect(service.received).toHaveLength(1)
    await dona.request('PUT', '/push/preferencias', others(true))
    await app.sql('update bots set desconectado_desde = null where conta_id = $1', [dona.contaId])
  })

  it('is queued once by two nodes', async () => {
    await subscribe(dona)
    const id = await givenWaitingCustomer(dona, newPhone())
    const other = await createTestApp({ database: app.database, pushLoopback: true })
    await Promise.all(Array.from({ length: 6 }, (_, n) => queueDueNotices(n % 2 === 0 ? app.deps : other.deps)))
    await settled()
    await other.close()
    expect(service.received.filter(({ conversaId }) => conversaId === id)).toHaveLength(1)
  })

  it('is found among 6,000 phones of idle contas', async () => {
    await app.sql(
      `with novas as (
         insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos)
         select gen_random_uuid(), 'Muitas', 100, '{"atendimentoHumano": true}' from generate_series(1, 6000) returning id
       ), donas as (
         insert into usuarios (id, conta_id, nome, email, telefone, tipo, status)
         select id, id, 'Dona', id || '@loja.test', '55', 'usuario', 'ativo' from novas returning id
       ), sessoes_novas as (
         insert into sessoes (token_hash, usuario_id, expira_em)
         select sha256(id::text::bytea), id, 'infinity' from donas returning token_hash, usuario_id
       )
       insert into push_inscricoes (conta_id, id, usuario_id, sessao, marca, destino, criada_em)
       select usuario_id, usuario_id, usuario_id, token_hash, token_hash, 'x', now() from sessoes_novas`,
    )
    await subscribe(dona)
    const conversaId = await givenWaitingCustomer(dona, newPhone())
    expect(await notices(1)).toMatchObject([{ tipo: 'fila', conversaId }])
  })

  it('is tried again after an error', async () => {
    await subscribe(dona)
    service.answer = 503
    await dona.request('POST', '/push/teste')
    await settled()
    // A slow machine may be at the second attempt already. A running attempt has reserved a minute.
    const retry = (): Promise<Record<string, unknown>[]> =>
      app.sql(`select from push_avisos
        where proxima_em < now() + case tentativas when 1 then interval '10 s' when 2 then interval '35 s' end`)
    await waitUntil(async () => (await retry()).length === 1)
    service.answer = 201
    await app.sql('update push_avisos set proxima_em = now()')
    expect(await notices(1)).toHaveLength(1)
    // The server's sender may have sent it, and deletes the row after the answer.
    await waitUntil(async () => (await app.sql('select from push_avisos')).length === 0)
  })

  it('is deleted when no change can repeat it', async () => {
    await subscribe(dona)
    const kept = await givenWaitingCustomer(dona, newPhone())
    const read = await givenWaitingCustomer(dona, newPhone())
    await notices(2)
    await openOf(dona, read)
    await opened(read)
    const age = `update push_avisos set criado_em = criado_em - interval '2 hours', aberta_em = aberta_em - interval '2 hours'`
    await app.sql(age)
    await deleteFinishedNotices(app.deps)
    expect(await app.sql('select conversa_id from push_avisos')).toEqual([{ conversa_id: kept }])
    await app.sql(`update push_avisos set criado_em = criado_em - interval '8 days'`)
    await deleteFinishedNotices(app.deps)
    expect(await app.sql('select from push_avisos')).toEqual([])
  })
})

describe('POST /push/teste', () => {
  it('refuses the sixth test of a usuario in a minute', async () => {
    const rui = await givenOperador(app, dona, { nome: 'Rui' })
    for (let test = 0; test < 5; test += 1) expect((await dona.request('POST', '/push/teste')).status).toBe(202)
    expect(await dona.request('POST', '/push/teste')).toMatchObject({
      ...{ status: 429, body: { erro: 'Muitas tentativas. Aguarde um pouco e tente novamente.' } },
    })
    expect((await rui.request('POST', '/push/teste')).status).toBe(202)
  })
})

describe('the notices of one conta', () => {
  /** Due test notices, as if their usuario had asked for them. */
  const givenTests = (quem: TestUser, count: number): Promise<unknown> =>
    app.sql(
      `insert into push_avisos (conta_id, usuario_id, chave, tipo, criado_em, proxima_em)
       select $1, $2, 'teste:' || n, 'teste', now(), now() - interval '1 minute' from generate_series(1, $3) n`,
      [quem.contaId, quem.usuario.id, count],
    )

  it('do not delay another conta while their service accepts and never answers', async () => {
    const silent = await createPushService()
    silent.silent = true
    const loud = await givenConta(app, 'Barulho')
    for (const name of ['a', 'b', 'c']) await loud.request('POST', '/push/inscricoes', silent.subscription(name))
    await givenTests(loud, 60)
    await waitUntil(() => silent.received.length >= 6)
    await subscribe(dona)
    const start = performance.now()
    await dona.request('POST', '/push/teste')
    await waitUntil(() => service.received.length === 1)
    expect(performance.now() - start).toBeLessThan(3_000)
    // Four notices of three browsers each.
    expect(silent.received.length).toBeLessThanOrEqual(12)
    silent.close()
  })

  it('end after five attempts if this version cannot read them, and delay no other notice', async () => {
    await app.sql('alter table push_avisos drop constraint push_avisos_tipo_check')
    const other = await givenConta(app, 'Outra')
    await subscribe(other, 'da-outra')
    await givenTests(other, 5)
    await app.sql(`update push_avisos set tipo = 'novo'`)
    await subscribe(dona)
    await dona.request('POST', '/push/teste')
    expect(await notices(1)).toHaveLength(1)
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      await app.sql('update push_avisos set proxima_em = now() where proxima_em is not null')
      // oxlint-disable-next-line no-await-in-loop -- each round is one attempt
      await waitUntil(async () => {
        await settled()
        return (await app.sql('select from push_avisos where tentativas = $1', [attempt])).length === 5
      })
    }
    const ended = async (): Promise<boolean> =>
      (await app.sql('select from push_avisos where proxima_em is null')).length === 5
    await waitUntil(ended)
    await app.sql(`delete from push_avisos`)
  })
})

describe('a subscription', () => {
  const count = async (): Promise<number> => (await app.sql('select from push_inscricoes')).length

  it.each([404, 410])('is deleted after the answer %i', async (status) => {
    await subscribe(dona)
    service.answer = status
    await dona.request('POST', '/push/teste')
    await settled()
    await waitUntil(async () => (await count()) === 0)
  })

  it('is deleted at the next notice if its service is not accepted any more', async () => {
    await subscribe(dona)
    const strict = await createTestApp({ database: app.database, background: false })
    await app.sql(`insert into push_avisos (conta_id, usuario_id, chave, tipo, criado_em, proxima_em)
      select conta_id, usuario_id, 'teste:1', 'teste', now(), now() + interval '1 hour' from push_inscricoes`)
    strict.advance(2 * 3_600_000)
    const sender = createNoticeSender(strict.deps)
    await sender.start()
    await sender.idle()
    expect([await count(), service.received]).toEqual([0, []])
    await strict.close()
  })

  it('ends with its session, however that ends, and with the removal of its operador', async () => {
    const rui = await givenOperador(app, dona, { nome: 'Rui' })
    const tina = await givenOperador(app, dona, { nome: 'Tina' })
    const lia = await givenOperador(app, dona, { nome: 'Lia' })
    const beto = await givenOperador(app, dona, { nome: 'Beto' })
    for (const [index, quem] of [rui, tina, lia, beto, dona].entries()) await subscribe(quem, `aparelho-${index}`)
    await rui.request('POST', '/auth/logout')
    await dona.request('DELETE', `/conta/operadores/${tina.usuario.id}`)
    await dona.request('DELETE', `/conta/operadores/${lia.usuario.id}/sessoes`)
    await (await app.login(beto.usuario.email)).request('DELETE', '/auth/sessoes')
    await givenWaitingCustomer(dona, newPhone())
    await notices(1)
    await settled()
    expect(service.received).toHaveLength(1)
    expect(await app.sql('select from push_avisos')).toHaveLength(1)
    await deleteEndedSubscriptions(app.deps)
    expect(await app.sql('select usuario_id from push_inscricoes')).toEqual([{ usuario_id: dona.usuario.id }])
  })

  it('is listed for its usuario with service and date, without address and keys', async () => {
    const rui = await givenOperador(app, dona, { nome: 'Rui' })
    const id = await subscribe(dona)
    const { status, body } = await dona.request('GET', '/push/inscricoes')
    expect(status).toBe(200)
    const { inscricoes } = inscricoesPushRoute.response.parse(body)
    const { endpoint, keys } = service.subscription()
    expect(inscricoes).toMatchObject([{ id, servico: new URL(endpoint).host }])
    for (const secret of [endpoint, keys.p256dh, keys.auth]) expect(JSON.stringify(body)).not.toContain(secret)
    expect((await rui.request('GET', '/push/inscricoes')).body).toEqual({ inscricoes: [], proximoCursor: null })
  })

  it('is exclusive to its conta', async () => {
    const vizinha = await givenConta(app, 'Vizinha')
    await subscribe(vizinha)
    await givenWaitingCustomer(dona, newPhone())
    await settled()
    expect(service.received).toEqual([])
  })
})
