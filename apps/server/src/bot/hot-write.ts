import type { Tx } from '#db/transaction.ts'
import { simples, textos } from './arrays.ts'
import { aEnviar, type Decisao, type MensagemNova } from './decisao.ts'

/**
 * Writes of the hot path: one statement per batch. The counter reads the row counts of the other parts, so the row
 * shared by a whole conta is locked last. A conta over its limit raises a cast error, so that the COMMIT can be
 * sent without waiting for the result.
 */
const GRAVAR = `
with v as (
  insert into conversas (conta_id, id, contato_id, status, iniciada_em, ultima_atividade)
  select conta_id, id, contato_id, status, em, em
  from unnest($30::uuid[], $31::uuid[], $32::uuid[], $33::text[], $34::timestamptz[]) as i (conta_id, id, contato_id, status, em)
  returning 1
), m as (
  insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, id_externo, estado, simulada, criada_em)
  select conta_id, id, conversa_id, direcao, origem, texto, midia::jsonb, canal, id_externo, estado, simulada, criada_em
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
              $10::text[], $11::bool[], $12::timestamptz[])
    as i (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, id_externo, estado, simulada, criada_em)
  returning 1
), s as (
  insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
  select conta_id, mensagem_id, contato_id, endereco, '{}', mensagem_id::text
  from unnest($13::uuid[], $14::uuid[], $15::uuid[], $16::text[]) as i (conta_id, mensagem_id, contato_id, endereco)
  returning 1
), c as (
  update contatos c set estado = coalesce(i.estado::jsonb, c.estado), conversa_id = i.conversa_id, nome = i.nome,
    endereco = i.endereco, ultima_atividade = i.em, ultimo_texto = coalesce(i.texto, c.ultimo_texto),
    ultima_direcao = coalesce(i.direcao, c.ultima_direcao), janela_desde = greatest(c.janela_desde, i.escreveu)
  from unnest($17::uuid[], $18::uuid[], $19::text[], $20::uuid[], $21::text[], $22::text[], $23::timestamptz[], $24::text[], $25::text[],
              $35::timestamptz[])
    as i (conta_id, id, estado, conversa_id, nome, endereco, em, texto, direcao, escreveu)
  where c.conta_id = i.conta_id and c.id = i.id
  returning 1
), u as (
  insert into uso_diario as u (conta_id, dia, usadas, total, recebidas)
  select i.conta_id, i.dia, i.enviadas, i.enviadas, i.recebidas
  from unnest($26::uuid[], $27::date[], $28::int[], $29::int[]) as i (conta_id, dia, enviadas, recebidas)
  join contas k on k.id = i.conta_id
  cross join (select count(*) from m) as a cross join (select count(*) from s) as b
  cross join (select count(*) from c) as d cross join (select count(*) from v) as e
  where i.enviadas = 0 or k.sem_limite or i.enviadas <= k.limite_mensagens_dia
  order by i.conta_id
  on conflict (conta_id, dia) do update set usadas = u.usadas + excluded.usadas, total = u.total + excluded.total,
    recebidas = u.recebidas + excluded.recebidas
  where excluded.usadas = 0 or exists (
    select 1 from contas k where k.id = u.conta_id
      and (k.sem_limite or u.usadas + excluded.usadas <= k.limite_mensagens_dia))
  returning u.conta_id, u.usadas
)
select u.conta_id, u.usadas, k.limite_mensagens_dia as limite, k.sem_limite, (
  select ('limite ' || string_agg(i.conta_id::text, ','))::int from unnest($26::uuid[]) as i (conta_id)
  where i.conta_id not in (select conta_id from u)
) as recusa
from unnest($26::uuid[]) as i (conta_id) left join u on u.conta_id = i.conta_id left join contas k on k.id = u.conta_id`

export interface Uso {
  readonly contaId: string
  readonly dia: string
  readonly enviadas: number
  readonly usadas: number
  /** Null for contas without a limit. */
  readonly limite: number | null
}

/** The batch exceeds the daily limit of these contas and must be rolled back. */
export class LimiteAtingido extends Error {
  readonly contas: readonly string[]

  constructor(contas: readonly string[]) {
    super('daily limit reached')
    this.contas = contas
  }
}

interface UsoRow {
  conta_id: string
  usadas: number
  limite: number
  sem_limite: boolean
}

interface Soma {
  readonly dia: string
  enviadas: number
  recebidas: number
}

/** Writes messages, `saida`, states and counters. Throws `LimiteAtingido` when the messages of a conta do not fit. */
export async function gravarMensagens(tx: Tx, decisoes: readonly Decisao[]): Promise<Uso[]> {
  const somas = somar(decisoes)
  const contas = [...somas.keys()].toSorted()
  const valores = [
    ...colunasDasMensagens(decisoes),
    ...colunasDaSaida(decisoes),
    ...colunasDosContatos(decisoes),
    simples(contas),
    simples(contas.map((conta) => somas.get(conta)?.dia ?? null)),
    simples(contas.map((conta) => somas.get(conta)?.enviadas ?? 0)),
    simples(contas.map((conta) => somas.get(conta)?.recebidas ?? 0)),
    ...colunasDasConversas(decisoes),
    textos(decisoes.map(escreveuEm)),
  ]
  try {
    const { rows } = await tx.queryNamed<UsoRow & Record<string, unknown>>('lote-gravar', GRAVAR, valores)
    return rows.map((row) => ({
      contaId: row.conta_id,
      dia: somas.get(row.conta_id)?.dia ?? '',
      enviadas: somas.get(row.conta_id)?.enviadas ?? 0,
      usadas: row.usadas,
      limite: row.sem_limite ? null : row.limite,
    }))
  } catch (error) {
    const recusadas = error instanceof Error ? /"limite ([0-9a-f,-]+)"/.exec(error.message)?.[1] : undefined
    throw recusadas === undefined ? error : new LimiteAtingido(recusadas.split(','))
  }
}

function somar(decisoes: readonly Decisao[]): Map<string, Soma> {
  const somas = new Map<string, Soma>()
  for (const decisao of decisoes) {
    const soma = somas.get(decisao.contaId) ?? { dia: decisao.dia, enviadas: 0, recebidas: 0 }
    soma.enviadas += aEnviar(decisao).length
    soma.recebidas += decisao.mensagens.filter(({ direcao }) => direcao === 'entrada').length
    somas.set(decisao.contaId, soma)
  }
  return somas
}

function colunasDasMensagens(decisoes: readonly Decisao[]): string[] {
  const linhas: { readonly de: Decisao; readonly mensagem: MensagemNova }[] = []
  for (const de of decisoes) for (const mensagem of de.mensagens) linhas.push({ de, mensagem })
  return [
    simples(linhas.map(({ de }) => de.contaId)),
    simples(linhas.map(({ mensagem }) => mensagem.id)),
    simples(linhas.map(({ de }) => de.conversaId)),
    simples(linhas.map(({ mensagem }) => mensagem.direcao)),
    simples(linhas.map(({ mensagem }) => mensagem.origem)),
    textos(linhas.map(({ mensagem }) => mensagem.texto)),
    textos(linhas.map(({ mensagem }) => (mensagem.midia === null ? null : JSON.stringify(mensagem.midia)))),
    simples(linhas.map(({ de }) => de.canal)),
    textos(linhas.map(({ mensagem }) => mensagem.idExterno)),
    simples(linhas.map(({ mensagem }) => mensagem.estado)),
    simples(linhas.map(({ de }) => de.teste)),
    simples(linhas.map(({ de }) => de.agora.toISOString())),
  ]
}

function colunasDaSaida(decisoes: readonly Decisao[]): string[] {
  const linhas: { readonly de: Decisao; readonly id: string }[] = []
  for (const de of decisoes) for (const { id } of aEnviar(de)) linhas.push({ de, id })
  return [
    simples(linhas.map(({ de }) => de.contaId)),
    simples(linhas.map(({ id }) => id)),
    simples(linhas.map(({ de }) => de.contato.id)),
    textos(linhas.map(({ de }) => de.endereco)),
  ]
}

/** Start of the 24-hour reply window of the official API: the time of the customer's message, not of a late webhook. */
function escreveuEm({ turno, agora }: Decisao): string | null {
  if (turno.tipo !== 'mensagem' || turno.canal !== 'oficial' || turno.mensagem.deMim === true) return null
  return new Date(Math.min(turno.mensagem.enviadaEm.getTime(), agora.getTime())).toISOString()
}

function colunasDosContatos(decisoes: readonly Decisao[]): string[] {
  const ultimas = decisoes.map(({ mensagens }) => mensagens.at(-1))
  return [
    simples(decisoes.map(({ contaId }) => contaId)),
    simples(decisoes.map(({ contato }) => contato.id)),
    textos(decisoes.map(({ estado }) => estado)),
    simples(decisoes.map(({ conversaId }) => conversaId)),
    textos(decisoes.map(({ nome }) => nome)),
    textos(decisoes.map(({ endereco }) => endereco)),
    simples(decisoes.map(({ agora }) => agora.toISOString())),
    textos(ultimas.map((ultima) => ultima?.texto ?? null)),
    simples(ultimas.map((ultima) => ultima?.direcao ?? null)),
  ]
}

function colunasDasConversas(decisoes: readonly Decisao[]): string[] {
  const novas = decisoes.filter(({ conversaNova }) => conversaNova !== null)
  return [
    simples(novas.map(({ contaId }) => contaId)),
    simples(novas.map(({ conversaId }) => conversaId)),
    simples(novas.map(({ contato }) => contato.id)),
    simples(novas.map(({ conversaNova }) => conversaNova?.status ?? null)),
    simples(novas.map(({ agora }) => agora.toISOString())),
  ]
}
