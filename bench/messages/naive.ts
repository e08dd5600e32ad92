import {
  type BotBench,
  type BotContext,
  type OutboundMessage,
  parseState,
  reachesCustomer,
  step,
  type Tx,
} from '@balcao/server/bench'
import type { BenchCustomer, HandIn } from './customers.ts'
import { benchConfig } from './config.ts'

/**
 * The same work as the product, written the obvious way: one interactive transaction per message, one statement at
 * a time. Tables, engine and guarantees are the same; only batching is missing.
 */
export function handInOneByOne(botBench: BotBench, deliver: (mensagem: OutboundMessage) => void): HandIn {
  const { db, ids } = botBench
  const context: BotContext = { config: benchConfig(), empresa: 'Loja', produtos: [], iaAvailable: false }
  return async (cliente, idExterno, texto) => {
    const send = await db.transaction(cliente.contaId, async (tx) => {
      const contato = await findOrCreateContato(tx, botBench, cliente)
      const conversaId = contato.conversaId ?? (await insertConversa(tx, botBench, cliente.contaId, contato.id))
      const id = ids.uuid()
      if (!(await insertInbound(tx, cliente.contaId, { id, conversaId, texto, idExterno }))) return []
      const event = { agora: Date.now(), contato: cliente, id, texto, enviadaEm: Date.now() }
      const { state, effects } = step(context, parseState(contato.estado), { tipo: 'mensagemCliente', ...event })
      const saidas: OutboundMessage[] = []
      for (const effect of effects.filter(reachesCustomer)) {
        if (effect.tipo !== 'enviarTexto') continue
        const output = { idExterno: ids.uuid(), endereco: cliente.telefone, texto: effect.texto }
        await insertOutbound(tx, cliente.contaId, contato.id, conversaId, output)
        saidas.push(output)
      }
      const fim = effects.some(({ tipo }) => tipo === 'finalizarConversa')
      if (fim) {
        await tx.query(
          `update conversas set status = 'finalizada', finalizada_em = now() where conta_id = $1 and id = $2`,
          [cliente.contaId, conversaId],
        )
      }
      await tx.query(
        `update contatos set estado = $3, conversa_id = $4, nome = $5, ultima_atividade = now(), ultimo_texto = $6
         where conta_id = $1 and id = $2`,
        [cliente.contaId, contato.id, JSON.stringify(state), conversaId, cliente.nome, texto],
      )
      await countMessages(tx, cliente.contaId, saidas.length, 1)
      return saidas
    })
    for (const output of send) {
      deliver(output)
      await db.transaction(cliente.contaId, (tx) =>
        tx.query('delete from saida where conta_id = $1 and mensagem_id = $2', [cliente.contaId, output.idExterno]),
      )
    }
  }
}

interface ContatoRow {
  id: string
  estado: unknown
  conversaId: string | null
}

async function findOrCreateContato(tx: Tx, { ids }: BotBench, cliente: BenchCustomer): Promise<ContatoRow> {
  const { contaId, telefone, nome } = cliente
  const { rows } = await tx.query<{ contato_id: string }>(
    'select contato_id from enderecos where conta_id = $1 and endereco = $2',
    [contaId, `tel:${telefone}`],
  )
  let contatoId = rows[0]?.contato_id
  if (contatoId === undefined) {
    contatoId = ids.uuid()
    await tx.query('insert into contatos (conta_id, id, nome, telefone, endereco) values ($1, $2, $3, $4, $4)', [
      contaId,
      contatoId,
      nome,
      telefone,
    ])
    await tx.query('insert into enderecos (conta_id, endereco, contato_id) values ($1, $2, $3)', [
      contaId,
      `tel:${telefone}`,
      contatoId,
    ])
  }
  const travado = await tx.query<{ id: string; estado: unknown; conversa_id: string | null }>(
    'select id, estado, conversa_id from contatos where conta_id = $1 and id = $2 for update',
    [contaId, contatoId],
  )
  const contato = travado.rows[0]
  return { id: contatoId, estado: contato?.estado, conversaId: contato?.conversa_id ?? null }
}

async function insertConversa(tx: Tx, { ids }: BotBench, contaId: string, contatoId: string): Promise<string> {
  const id = ids.uuid()
  await tx.query(`insert into conversas (conta_id, id, contato_id, status) values ($1, $2, $3, 'bot')`, [
    contaId,
    id,
    contatoId,
  ])
  return id
}

async function insertInbound(
  tx: Tx,
  contaId: string,
  mensagem: { id: string; conversaId: string; texto: string; idExterno: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, id_externo, estado, criada_em)
     values ($1, $2, $3, 'entrada', 'cliente', $4, 'simulador', $5, 'entregue', now()) on conflict do nothing`,
    [contaId, mensagem.id, mensagem.conversaId, mensagem.texto, mensagem.idExterno],
  )
  return rowCount === 1
}

async function insertOutbound(
  tx: Tx,
  contaId: string,
  contatoId: string,
  conversaId: string,
  { idExterno, texto, endereco }: OutboundMessage,
): Promise<void> {
  await tx.query(
    `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
     values ($1, $2, $3, 'saida', 'bot', $4, 'simulador', 'enviada', now())`,
    [contaId, idExterno, conversaId, texto],
  )
  await tx.query(
    `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo) values ($1, $2, $3, $4, '{}', $5)`,
    [contaId, idExterno, contatoId, endereco, idExterno],
  )
}

async function countMessages(tx: Tx, contaId: string, sent: number, received: number): Promise<void> {
  await tx.query(
    `insert into uso_diario as u (conta_id, dia, usadas, total, recebidas) values ($1, current_date, $2, $2, $3)
     on conflict (conta_id, dia) do update set usadas = u.usadas + $2, total = u.total + $2, recebidas = u.recebidas + $3`,
    [contaId, sent, received],
  )
}
