import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSmtpMailer } from '#adapters/smtp/mailer.ts'
import { mailBotDisconnected, mailDailyLimit, createMailWorker, type MailWorker } from '#modules/emails/index.ts'
import { ADMIN, type ContasTestApp, createContasTestApp } from '#test/auth/contas-test-app.ts'
import { waitUntil } from '#test/app.ts'
import { type TestMailServer, startMailServer } from './mail-server.ts'
import { firstLine } from '#db/statement/line.ts'

const MINUTO = 60_000

let mails: TestMailServer
let app: ContasTestApp
let worker: MailWorker
beforeAll(async () => {
  mails = await startMailServer()
  app = await createContasTestApp({
    mailer: createSmtpMailer({ url: mails.url, de: 'Balcão <nao-responda@balcao.test>' }),
  })
  worker = createMailWorker(app.deps)
})
afterAll(async () => {
  await app.close()
  await mails.close()
})
beforeEach(async () => {
  await app.database.owner.query('delete from emails')
  await app.database.owner.query('update configuracoes_admin set notificacoes_email = true')
  mails.received.length = 0
  mails.refuse(false)
})

async function activeOwner(email: string): Promise<string> {
  const id = await app.register(email)
  await app.approve(id)
  const { rows } = await app.database.owner.query('select conta_id from usuarios where id = $1', [id])
  await app.database.owner.query('delete from emails')
  return String(rows[0]?.conta_id)
}

async function rowsOf(para: string): Promise<Record<string, unknown>[]> {
  const { rows } = await app.database.owner.query('select * from emails where para = $1 order by id', [para])
  return rows
}

async function givenConvites(contaId: string, para: string, count: number): Promise<void> {
  await app.database.owner.query(
    `insert into emails (id, conta_id, tipo, para, assunto, texto, criado_em, proxima_em)
     select gen_random_uuid(), $1, 'convite', $2, 'Convite', 'texto', $3, $3 from generate_series(1, $4)`,
    [contaId, para, app.deps.clock.now(), count],
  )
}

function legivel(bruto: string): string {
  const semQuebras = bruto.replace(/=\r?\n/g, '')
  const bytes = semQuebras.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

describe('createMailWorker', () => {
  it('delivers a working reset link once and keeps no copy of it', async () => {
    await activeOwner('ana@loja.test')
    await app.request('POST', '/auth/esqueci-senha', { body: { email: 'ana@loja.test' } })
    expect(await worker.runOnce()).toBe(1)
    expect(await worker.runOnce()).toBe(0)
    expect(mails.received).toHaveLength(1)
    const [mail] = mails.received
    expect(mail?.to).toEqual(['ana@loja.test'])
    const text = legivel(mail?.raw ?? '')
    expect(text).toContain('Olá, Pessoa ana@loja.test!')
    const token = /redefinir-senha\?token=([\w-]{43})/.exec(text)?.[1] ?? ''

    const { body } = await app.request('GET', '/admin/emails', { token: await app.admin() })
    expect(body).toMatchObject({
      emails: [
        { para: 'ana@loja.test', assunto: 'Redefinição de senha', enviadoEm: app.deps.clock.now().toISOString() },
      ],
    })
    expect(JSON.stringify([body, await rowsOf('ana@loja.test')])).not.toContain(token)
    const reset = await app.request('POST', '/auth/redefinir-senha', { body: { token, senha: 'senha-nova' } })
    expect(reset.status).toBe(204)
  })

  it('hides the link of a mail that waits for the mail server', async () => {
    await activeOwner('bia@loja.test')
    await app.request('POST', '/auth/esqueci-senha', { body: { email: 'bia@loja.test' } })
    const { body } = await app.request('GET', '/admin/emails', { token: await app.admin() })
    expect(JSON.stringify(body)).toContain('redefinir-senha?token=…')
  })

  it('retries after 1, 5 and 30 minutes and gives up after ten attempts', async () => {
    mails.refuse(true)
    await app.register('caio@loja.test')
    for (const wait of [1, 5, 30]) {
      expect(await worker.runOnce()).toBe(1)
      app.advance(wait * MINUTO - 1)
      expect(await worker.runOnce()).toBe(0)
      app.advance(1)
    }
    const [line] = await rowsOf(ADMIN.email)
    expect(line).toMatchObject({ tentativas: 3, enviado_em: null, erro: expect.stringContaining('caixa cheia') })
    for (let vez = 4; vez <= 10; vez += 1) {
      expect(await worker.runOnce()).toBe(1)
      app.advance(12 * 60 * MINUTO)
      await app.database.owner.query('update emails set criado_em = $1', [app.deps.clock.now()])
    }
    expect(await worker.runOnce()).toBe(0)
    expect(await rowsOf(ADMIN.email)).toMatchObject([{ tentativas: 10, enviado_em: null }])
  })

  it('skips outdated mails after an outage of the mail server', async () => {
    const contaId = await activeOwner('dora@loja.test')
    await app.request('POST', '/auth/esqueci-senha', { body: { email: 'dora@loja.test' } })
    await app.deps.db.transaction(contaId, async (tx) => {
      await mailDailyLimit(tx, app.deps, contaId, { percentual: 100, limite: 10, dia: '2026-03-10' })
      await mailBotDisconnected(tx, app.deps, firstLine(contaId), app.deps.clock.now())
    })
    await app.register('elis@loja.test')
    expect((await app.database.owner.query('select 1 from emails')).rows).toHaveLength(4)
    app.advance(8 * 60 * MINUTO)
    expect(await worker.runOnce()).toBe(1)
    expect(mails.received.map(({ to }) => to)).toEqual([[ADMIN.email]])
  })

  it('sends each mail once when several workers run at the same time', async () => {
    for (let vez = 0; vez < 6; vez += 1) await app.register(`muitos${vez}@loja.test`)
    const other = createMailWorker(app.deps)
    const tentados = await Promise.all([worker.runOnce(), other.runOnce()])
    expect(tentados.reduce((sum, um) => sum + um, 0)).toBe(6)
    expect(new Set(mails.received.map(({ raw }) => legivel(raw))).size).toBe(6)
    expect(mails.received).toHaveLength(6)
  })

  it('sends a reset link and mails of other contas before many mails of one conta', async () => {
    const [busy, other] = [await activeOwner('cheia@loja.test'), await activeOwner('outra@loja.test')]
    await activeOwner('reset@loja.test')
    await givenConvites(busy, 'cheia@loja.test', 30)
    await givenConvites(other, 'outra@loja.test', 1)
    await app.request('POST', '/auth/esqueci-senha', { body: { email: 'reset@loja.test' } })
    expect(await worker.runOnce()).toBe(32)
    const first = mails.received.slice(0, 4).flatMap(({ to }) => to)
    expect(first).toEqual(expect.arrayContaining(['outra@loja.test', 'reset@loja.test']))
  })

  it('sends a reset link at once while the mails of another conta get no answer', async () => {
    const busy = await activeOwner('muda@loja.test')
    await activeOwner('pressa@loja.test')
    const answer = mails.silence('muda@loja.test')
    await givenConvites(busy, 'muda@loja.test', 30)
    const awake = createMailWorker(app.deps)
    awake.start()
    const reserved = async (): Promise<number> =>
      (await rowsOf('muda@loja.test')).filter(({ tentativas }) => tentativas === 1).length
    await waitUntil(async () => (await reserved()) > 0)
    await app.request('POST', '/auth/esqueci-senha', { body: { email: 'pressa@loja.test' } })
    const start = performance.now()
    awake.wake()
    await waitUntil(() => mails.received.length === 1)
    expect(performance.now() - start).toBeLessThan(3_000)
    expect(await reserved()).toBe(2)
    answer()
    await awake.stop()
  })

  it('sends the mails of others while one cannot be opened, and gives that one up', async () => {
    await givenConvites(await activeOwner('rasgada@loja.test'), 'rasgada@loja.test', 5)
    await app.database.owner.query(`update emails set texto = 'selado:v1:perdido'`)
    await app.register('inteira@loja.test')
    expect(await worker.runOnce()).toBe(6)
    expect(mails.received.map(({ to }) => to)).toEqual([[ADMIN.email]])
    await app.database.owner.query(`update emails set tentativas = 9, proxima_em = criado_em where enviado_em is null`)
    expect(await worker.runOnce()).toBe(5)
    app.advance(12 * 60 * MINUTO)
    expect(await worker.runOnce()).toBe(0)
  })

  it('gives up an attempt that exceeds its time', async () => {
    await app.register('lenta@loja.test')
    const mailer = { configured: true, send: () => new Promise<void>(() => undefined) }
    expect(await createMailWorker({ ...app.deps, mailer }, 20).runOnce()).toBe(1)
    expect(await rowsOf(ADMIN.email)).toMatchObject([
      { tentativas: 1, enviado_em: null, erro: expect.stringContaining('time') },
    ])
  })

  it('sends a mail after its commit without waiting for the next round', async () => {
    const contaId = await activeOwner('logo@loja.test')
    const awake = createMailWorker(app.deps)
    awake.start()
    await new Promise((resolve) => setTimeout(resolve, 200))
    await app.deps.db.transaction(contaId, (tx) =>
      mailDailyLimit(tx, { ...app.deps, mailQueued: awake.wake }, contaId, {
        percentual: 80,
        limite: 10,
        dia: '2026-03-12',
      }),
    )
    await waitUntil(() => mails.received.length === 1, 15_000)
    await awake.stop()
  })

  it('holds other mails back with notifications off but sends reset links', async () => {
    await activeOwner('davi@loja.test')
    await app.register('espera@loja.test')
    await app.database.owner.query('update configuracoes_admin set notificacoes_email = false')
    await app.request('POST', '/auth/esqueci-senha', { body: { email: 'davi@loja.test' } })
    expect(await worker.runOnce()).toBe(1)
    expect(mails.received.map(({ to }) => to)).toEqual([['davi@loja.test']])
  })

  it('allows no header injection through the name of a person', async () => {
    const nome = 'Eva\r\nBcc: todos@loja.test'
    const body = { nome, email: 'eva@loja.test', senha: 'segredo', telefone: '', empresa: '' }
    expect((await app.request('POST', '/auth/register', { body })).status).toBe(201)
    await worker.runOnce()
    expect(mails.received.map(({ to }) => to)).toEqual([[ADMIN.email]])
    expect(mails.received[0]?.raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im)
  })

  it('sends queued mails after start and none after stop', async () => {
    await app.register('fim@loja.test')
    worker.start()
    await expect.poll(() => mails.received.length).toBe(1)
    await worker.stop()
    await app.register('depois@loja.test')
    expect(mails.received).toHaveLength(1)
  })
})

describe('mails to owners', () => {
  it('queues 80 % and 100 % limit mails once per local day each', async () => {
    const contaId = await activeOwner('gil@loja.test')
    const avisa = (percentual: 80 | 100, dia: string): Promise<void> =>
      app.deps.db.transaction(contaId, (tx) => mailDailyLimit(tx, app.deps, contaId, { percentual, limite: 1000, dia }))
    await Promise.all([avisa(80, '2026-03-10'), avisa(80, '2026-03-10'), avisa(100, '2026-03-10')])
    await avisa(80, '2026-03-11')
    const assuntos = (await rowsOf('gil@loja.test')).map(({ assunto }) => String(assunto))
    expect(assuntos.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'O limite diário de mensagens foi atingido',
      'Você já usou 80% do limite diário de mensagens',
      'Você já usou 80% do limite diário de mensagens',
    ])
    expect((await rowsOf('gil@loja.test'))[0]?.['texto']).toContain('1.000 mensagens')
  })

  it('queues a disconnection mail once per outage, with local time', async () => {
    const contaId = await activeOwner('hana@loja.test')
    const avisa = (since: string): Promise<void> =>
      app.deps.db.transaction(contaId, (tx) => mailBotDisconnected(tx, app.deps, firstLine(contaId), new Date(since)))
    await avisa('2026-03-10T14:05:00Z')
    await avisa('2026-03-10T14:05:00Z')
    await avisa('2026-03-10T18:00:00Z')
    const texts = (await rowsOf('hana@loja.test')).map(({ texto }) => String(texto))
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain('caiu às 11:05')
  })

  it('names the renamed connection in the mail and to the administrator', async () => {
    const email = 'ivo@loja.test'
    const contaId = await activeOwner(email)
    const token = await app.login(email, 'senha-de-teste')
    // The last save changes nothing.
    for (const clientId of ['padaria', 'padaria-aurora', 'padaria-aurora']) {
      const config = Object((await app.request('GET', '/config', { token })).body['config'])
      const body = { ...config, whatsapp: { ...config.whatsapp, conector: 'simulador', clientId } }
      expect((await app.request('PUT', '/config', { token, body })).status).toBe(200)
    }
    await app.deps.db.transaction(contaId, (tx) =>
      mailBotDisconnected(tx, app.deps, firstLine(contaId), app.deps.clock.now()),
    )
    expect(await rowsOf(email)).toMatchObject([
      { assunto: 'A conexão padaria-aurora caiu', texto: expect.stringContaining('A conexão padaria-aurora caiu às') },
    ])
    const list = await app.request('GET', `/admin/usuarios?busca=${email}`, { token: await app.admin() })
    expect(list.body).toMatchObject({
      usuarios: [{ conexao: 'padaria-aurora', botConectado: false, modoTeste: false }],
    })
  })
})
