import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIds } from '#ids.ts'
import { deleteExpired } from '#modules/retencao/delete-expired.ts'
import { createVault } from '#security/vault.ts'
import { recordStatements } from '#test/recorded-database.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
const AGORA = new Date('2026-11-21T12:00:00Z')
const haDias = (days: number): Date => new Date(AGORA.getTime() - days * 86_400_000)

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const idDe = (quando: Date): string => createIds({ now: () => quando }).uuid()

async function conta(): Promise<string> {
  const id = idDe(haDias(400))
  await database.owner.query(
    `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', 1000, '{}')`,
    [id],
  )
  return id
}

interface Historia {
  readonly contaId: string
  /** In days ago: `veio` is the creation of the contato, `mensagens` each mensagem of its conversa. */
  readonly veio: number
  readonly mensagens: readonly number[]
  readonly finalizada: boolean
}

async function contar({ contaId, veio, mensagens, finalizada }: Historia): Promise<string> {
  const { owner } = database
  const [contatoId, conversaId] = [idDe(haDias(veio)), idDe(haDias(veio))]
  const last = haDias(Math.min(...mensagens))
  await owner.query(
    `insert into contatos (conta_id, id, nome, telefone, endereco, ultima_atividade) values ($1, $2, 'Ana', '5511', 'tel:5511', $3)`,
    [contaId, contatoId, last],
  )
  await owner.query(
    `insert into conversas (conta_id, id, contato_id, status, iniciada_em, finalizada_em) values ($1, $2, $3, $4, $5, $6)`,
    [contaId, conversaId, contatoId, finalizada ? 'finalizada' : 'bot', haDias(veio), finalizada ? last : null],
  )
  for (const days of mensagens) {
    await owner.query(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       values ($1, $2, $3, 'entrada', 'cliente', 'oi', 'simulador', 'recebida', $4)`,
      [contaId, idDe(haDias(days)), conversaId, haDias(days)],
    )
  }
  return contatoId
}

async function restam(contaId: string): Promise<Record<string, number>> {
  const { rows } = await database.owner.query<Record<string, number>>(
    `select (select count(*)::int from contatos where conta_id = $1) as contatos,
       (select count(*)::int from conversas where conta_id = $1) as conversas,
       (select count(*)::int from mensagens where conta_id = $1) as mensagens,
       (select count(*)::int from logs where conta_id = $1) as logs`,
    [contaId],
  )
  return rows[0] ?? {}
}

const vault = createVault('segredo de teste')
const clear = (): Promise<number> => deleteExpired({ db: database.db, vault, clock: { now: () => AGORA } })

describe('apagarVencidos', () => {
  it('deletes a contato after 180 days without activity and keeps other contas', async () => {
    const [contaId, other] = [await conta(), await conta()]
    await contar({ contaId, veio: 300, mensagens: [300, 181], finalizada: true })
    await contar({ contaId, veio: 250, mensagens: [250, 200], finalizada: false })
    await contar({ contaId: other, veio: 179, mensagens: [179], finalizada: true })
    await clear()
    expect(await restam(contaId)).toEqual({ contatos: 0, conversas: 0, mensagens: 0, logs: 0 })
    expect(await restam(other)).toEqual({ contatos: 1, conversas: 1, mensagens: 1, logs: 0 })
  })

  it('deletes old mensagens of an active contato', async () => {
    const contaId = await conta()
    await contar({ contaId, veio: 300, mensagens: [300, 190, 170, 1], finalizada: false })
    await clear()
    expect(await restam(contaId)).toEqual({ contatos: 1, conversas: 1, mensagens: 2, logs: 0 })
    expect(await clear()).toBe(0)
  })

  it('deletes old notas, and a saved contato after 180 days without a change', async () => {
    const contaId = await conta()
    const contatoId = await contar({ contaId, veio: 300, mensagens: [300, 1], finalizada: false })
    const [conversa] = (await database.owner.query('select id from conversas where contato_id = $1', [contatoId])).rows
    for (const days of [190, 170]) {
      await database.owner.query(
        `insert into notas (conta_id, id, conversa_id, texto, autor_id, autor, criada_em) values ($1, $2, $3, $4, $2, 'Ana', $5)`,
        [contaId, idDe(haDias(days)), conversa.id, `há ${days}`, haDias(days)],
      )
    }
    for (const days of [190, 170]) {
      await database.owner.query(
        `insert into contatos (conta_id, id, nome, endereco, ultima_atividade, editado_em) values ($1, $2, $3, 'x', $4, $5)`,
        [contaId, idDe(haDias(300)), `mudou há ${days}`, haDias(300), haDias(days)],
      )
    }
    await clear()
    const left = `select texto as nome from notas where conta_id = $1
      union all select nome from contatos where conta_id = $1 and editado_em is not null`
    const { rows } = await database.owner.query(left, [contaId])
    expect(rows.map(({ nome }) => nome)).toEqual(['há 170', 'mudou há 170'])
  })

  it('deletes ended scheduled messages after 180 days and the etiquetas of a deleted contato', async () => {
    const contaId = await conta()
    const gone = await contar({ contaId, veio: 300, mensagens: [300], finalizada: true })
    const contatoId = await contar({ contaId, veio: 300, mensagens: [300, 1], finalizada: false })
    const query = (sql: string, values: unknown[]) => database.owner.query(sql, values)
    const [conversa] = (await query('select id from conversas where contato_id = $1', [contatoId])).rows
    for (const [days, estado] of [
      [190, 'enviada'],
      [191, 'marcada'],
      [170, 'falhou'],
    ] as const) {
      await query(
        `insert into agendadas (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder, estado, criada_em)
         values ($1, $2, $3, $4, $5, $2, 'Ana', true, $4, $5)`,
        [contaId, idDe(haDias(days)), conversa.id, estado, haDias(days)],
      )
    }
    const etiqueta = randomUUID()
    await query(`insert into etiquetas (conta_id, id, nome, chave, cor) values ($1, $2, 'VIP', 'vip', 'red')`, [
      ...[contaId, etiqueta],
    ])
    for (const id of [gone, contatoId]) {
      await query('insert into contatos_etiquetas (conta_id, etiqueta_id, contato_id) values ($1, $2, $3)', [
        ...[contaId, etiqueta, id],
      ])
    }
    await clear()
    const { rows } = await query(
      `select texto from agendadas where conta_id = $1
       union all select contato_id::text from contatos_etiquetas where conta_id = $1 order by 1`,
      [contaId],
    )
    expect(new Set(rows.map(({ texto }) => texto))).toEqual(new Set([contatoId, 'falhou', 'marcada']))
  })

  it('keeps a finished conversa, with its contato, while a scheduled message waits', async () => {
    const contaId = await conta()
    const left: string[] = []
    for (const estado of ['marcada', 'cancelada']) {
      const contatoId = await contar({ contaId, veio: 300, mensagens: [300], finalizada: true })
      await database.owner.query(
        `insert into agendadas (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder, estado, criada_em)
         select $1, $2, id, 'Lembrete', $3, $2, 'Ana', true, $4, $3 from conversas where conta_id = $1 and contato_id = $5`,
        [contaId, idDe(haDias(1)), AGORA, estado, contatoId],
      )
      if (estado === 'marcada') left.push(contatoId)
    }
    await clear()
    const { rows } = await database.owner.query('select contato_id from conversas where conta_id = $1', [contaId])
    expect(rows.map(({ contato_id: id }) => id)).toEqual(left)
    expect(await restam(contaId)).toEqual({ contatos: 1, conversas: 1, mensagens: 0, logs: 0 })
    await database.owner.query(`update agendadas set estado = 'enviada' where conta_id = $1`, [contaId])
    await clear()
    expect(await restam(contaId)).toMatchObject({ contatos: 0, conversas: 0 })
  })

  it('uses the retention of the conta and deletes nothing under a legal hold', async () => {
    const [short, long, stored] = [await conta(), await conta(), await conta()]
    for (const [contaId, days, guard] of [
      [short, 30, false],
      [long, 400, false],
      [stored, 7, true],
    ] as const) {
      await database.owner.query(
        'insert into privacidade (conta_id, retencao_dias, guarda_legal) values ($1, $2, $3)',
        [contaId, days, guard],
      )
      await contar({ contaId, veio: 300, mensagens: [300, 31, 1], finalizada: false })
    }
    await clear()
    expect(await restam(short)).toMatchObject({ contatos: 1, mensagens: 1 })
    expect(await restam(long)).toMatchObject({ mensagens: 3 })
    expect(await restam(stored)).toMatchObject({ mensagens: 3 })
  })

  it('opens no transaction for contas without data that is due', async () => {
    await clear()
    const recorded = recordStatements(database.db)
    const transactions = async (): Promise<number> => {
      recorded.transactions.length = 0
      await deleteExpired({ db: recorded.db, vault, clock: { now: () => AGORA } })
      return recorded.transactions.length
    }
    const before = await transactions()
    for (const days of [1, 20, 170]) {
      await contar({ contaId: await conta(), veio: days, mensagens: [days], finalizada: true })
    }
    expect(await transactions()).toBe(before)
    await contar({ contaId: await conta(), veio: 181, mensagens: [181], finalizada: true })
    expect(await transactions()).toBeGreaterThan(before)
  })

  it('deletes the details of an AI answer after 30 days and keeps the mensagem', async () => {
    const contaId = await conta()
    await contar({ contaId, veio: 40, mensagens: [31, 29], finalizada: false })
    await database.owner.query(
      `insert into respostas_ia (conta_id, mensagem_id, dados, criada_em)
       select conta_id, id, '{}', criada_em from mensagens where conta_id = $1`,
      [contaId],
    )
    expect(await clear()).toBe(1)
    expect(await restam(contaId)).toMatchObject({ mensagens: 2 })
    const { rows } = await database.owner.query('select criada_em from respostas_ia where conta_id = $1', [contaId])
    expect(rows).toEqual([{ criada_em: haDias(29) }])
  })

  it.each(['oficial_chegadas', 'whatsapp_chegadas'])(
    'deletes unprocessed rows of %s after 30 days',
    async (journal) => {
      const contaId = await conta()
      await database.owner.query('insert into bots (conta_id) values ($1)', [contaId])
      await database.owner.query(
        `insert into oficial_contas (conta_id, telefone_id, conta_whatsapp_id, token, segredo, verificacao, endereco)
         values ($1::uuid, '', '', '', '', '', $1::uuid::text)`,
        [contaId],
      )
      await database.owner.query(
        `insert into ${journal} (conta_id, id, valor, chegou_em) values ($1, 'velha', '', $2), ($1, 'nova', '', $3)`,
        [contaId, haDias(31), haDias(29)],
      )
      expect(await clear()).toBe(1)
      const { rows } = await database.owner.query(`select id from ${journal} where conta_id = $1`, [contaId])
      expect(rows).toEqual([{ id: 'nova' }])
    },
  )

  it('deletes mails 30 days after they were written, except under a legal hold', async () => {
    const comGuarda = await conta()
    await database.owner.query('insert into privacidade (conta_id, guarda_legal) values ($1, true)', [comGuarda])
    const owners = { comGuarda, semGuarda: await conta(), semConta: null }
    for (const [owner, contaId] of Object.entries(owners)) {
      for (const days of [31, 29]) {
        await database.owner.query(
          `insert into emails (id, conta_id, tipo, para, assunto, texto, criado_em)
           values ($1, $2, 'limite', 'ana@loja.test', 'Limite', $3, $4)`,
          [randomUUID(), contaId, `${owner} ${days}`, haDias(days)],
        )
      }
    }
    expect(await clear()).toBe(2)
    const { rows } = await database.owner.query<{ texto: string }>('select texto from emails')
    expect(rows.map(({ texto }) => texto).toSorted()).toEqual([
      'comGuarda 29',
      'comGuarda 31',
      'semConta 29',
      'semGuarda 29',
    ])
  })

  it('sums the daily counters of a month after 13 months', async () => {
    const contaId = await conta()
    await database.owner.query(
      `insert into uso_diario (conta_id, dia, total, recebidas)
       select $1, dia::date, 1, 2 from generate_series(date_trunc('month', now()) - interval '14 months', now(), '1 day') dia`,
      [contaId],
    )
    const read = async (): Promise<unknown> => {
      const { rows } = await database.owner.query(
        `select count(*)::int as dias, sum(total)::int - count(*)::int as juntadas, sum(recebidas) = 2 * sum(total) as certas,
           min(dia) = date_trunc('month', now()) - interval '14 months' as primeiro
         from uso_diario where conta_id = $1 and dia < date_trunc('month', now()) - interval '13 months'`,
        [contaId],
      )
      return rows[0]
    }
    await clear()
    const summed = { dias: 1, juntadas: expect.any(Number), certas: true, primeiro: true }
    expect(await read()).toEqual(summed)
    expect(await clear()).toBe(0)
    expect(await read()).toEqual(summed)
    await database.owner.query('delete from uso_diario where conta_id = $1', [contaId])
  })

  it('removes name, e-mail and phone of an operador 180 days after the removal', async () => {
    const contaId = await conta()
    const operador = async (nome: string, excluidoEm: Date | null, voltaComConta = false): Promise<void> => {
      await database.owner.query(
        `insert into usuarios (id, conta_id, nome, email, telefone, tipo, status, excluido_em, volta_com_conta)
         values ($1, $2, $3, $4, '11987654321', 'operador', 'inativo', $5, $6)`,
        [randomUUID(), contaId, nome, `${nome.toLowerCase()}@loja.test`, excluidoEm, voltaComConta],
      )
    }
    await operador('Antiga', haDias(181))
    await operador('Antigo', haDias(200))
    await operador('Recente', haDias(179))
    await operador('Presente', null)
    await operador('Volta', haDias(181), true)
    await contar({ contaId, veio: 20, mensagens: [19], finalizada: true })
    await database.owner.query(`update conversas set operador = 'Antiga' where conta_id = $1`, [contaId])
    expect(await clear()).toBe(2)
    expect(await clear()).toBe(0)
    const { rows } = await database.owner.query(
      `select nome, email, telefone from usuarios where conta_id = $1 order by nome, email`,
      [contaId],
    )
    const kept = (nome: string) => ({ nome, email: `${nome.toLowerCase()}@loja.test`, telefone: '11987654321' })
    const removed = { nome: 'Pessoa removida', email: '', telefone: '' }
    expect(rows).toEqual([removed, removed, kept('Presente'), kept('Recente'), kept('Volta')])
    const conversas = await database.owner.query('select operador from conversas where conta_id = $1', [contaId])
    expect(conversas.rows).toEqual([{ operador: 'Antiga' }])
  })

  it('deletes logs after 90 days in several batches', async () => {
    const contaId = await conta()
    await database.owner.query(
      `insert into logs (conta_id, id, tipo, mensagem, timestamp)
       select $1, (substr($2, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'info', 'antigo', $3 from generate_series(1, 2500) n`,
      [contaId, idDe(haDias(91)), haDias(91)],
    )
    await database.owner.query(
      `insert into logs (conta_id, id, tipo, mensagem, timestamp) values ($1, $2, 'info', 'recente', $3)`,
      [contaId, idDe(haDias(89)), haDias(89)],
    )
    expect(await clear()).toBe(2_500)
    expect(await restam(contaId)).toEqual({ contatos: 0, conversas: 0, mensagens: 0, logs: 1 })
  })
})
