import type { createPool } from '@balcao/server/bench'
import { contatoName, mensagemText } from './large-words.ts'

export const CONVERSAS = 100_000
export const MENSAGENS = 1_000_000
const OPEN = 2_000
const CONTATOS = 40_000
const PER_CONVERSA = MENSAGENS / CONVERSAS
const DAYS = 170
/** Every this many contatos have the tag. */
export const TAGGED_EVERY = 20
const CONVERSAS_PER_STATEMENT = 10_000

type Pool = ReturnType<typeof createPool>

/**
 * Row `n` has the number in the random part of its id, so the ids grow with the time. The rows of all statements must
 * share one instant, because the ids of conversas and contatos are computed again in the rows that refer to them.
 */
const prepareSql = (now: number): string => `
create schema prova;
create function prova.uid(ms bigint, numero bigint) returns uuid language sql immutable as
  $$ select (lpad(to_hex(ms), 12, '0') || '70008' || lpad(to_hex(numero), 15, '0'))::uuid $$;
create function prova.em(numero bigint) returns bigint language sql immutable as
  $$ select ${now} - ${DAYS} * 86400000::bigint + (${DAYS}::float8 * 86400000 * numero / ${CONVERSAS})::bigint $$;`

const CONTATOS_SQL = `
insert into contatos (conta_id, id, nome, telefone, endereco, ultima_atividade, ultimo_id, criado_em)
select $1, prova.uid(prova.em(j), j), nome, '55119' || (10000000 + j), 'tel:55119' || (10000000 + j),
  to_timestamp(prova.em(k) / 1000.0 + 30 * ${PER_CONVERSA}),
  prova.uid(prova.em(k) + 30000 * ${PER_CONVERSA}, k * 16 + ${PER_CONVERSA}), to_timestamp(prova.em(j) / 1000.0)
from (select nome, j, j - 1 + ${CONTATOS} * ((${CONVERSAS} - j + 1) / ${CONTATOS}) as k
        from unnest($2::text[]) with ordinality as i (nome, j)) i`
const ENDERECOS_SQL = `
insert into enderecos (conta_id, endereco, contato_id)
select conta_id, endereco, id from contatos where conta_id = $1 on conflict do nothing`
const ETIQUETAS_SQL = `
insert into contatos_etiquetas (conta_id, etiqueta_id, contato_id)
select $1, $2, prova.uid(prova.em(j), j) from generate_series(${TAGGED_EVERY}, ${CONTATOS}, ${TAGGED_EVERY}) j`
const CONVERSAS_SQL = `
insert into conversas (conta_id, id, contato_id, status, setor, protocolo, iniciada_em, ultima_atividade,
  aguardando_desde, primeira_resposta_em, finalizada_em, motivo_fim, operador_id, operador)
select $1, prova.uid(prova.em(k), k), prova.uid(prova.em(j), j), case when aberta then 'aguardando' else 'finalizada' end,
  'geral', 'P' || k, em, em + interval '9 minutes', em, case when not aberta then em + interval '2 minutes' end,
  case when not aberta then em + interval '10 minutes' end, case when not aberta then 'atendente' end,
  case when k % 3 = 0 and not aberta then u.id end, case when k % 3 = 0 and not aberta then u.nome end
from (select k, 1 + k % ${CONTATOS} as j, k > ${CONVERSAS - OPEN} as aberta, to_timestamp(prova.em(k) / 1000.0) as em
        from generate_series($2::int, $3::int) k) i
cross join (select id, nome from usuarios where conta_id = $1 limit 1) u`
const MENSAGENS_SQL = `
insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
select $1, prova.uid(prova.em(k) + s * 30000, k * 16 + s), prova.uid(prova.em(k), k),
  case s % 2 when 1 then 'entrada' else 'saida' end, case s % 2 when 1 then 'cliente' else 'operador' end,
  texto, 'simulador', 'entregue', to_timestamp(prova.em(k) / 1000.0 + s * 30)
from (select $2::int + (n - 1) / ${PER_CONVERSA} as k, 1 + (n - 1) % ${PER_CONVERSA} as s, texto
        from unnest($3::text[]) with ordinality as i (texto, n)) i`

/** Fills one conta with conversas of people. `etiqueta`: the tag of every twentieth contato. */
export async function fillLargeConta(pool: Pool, contaId: string, etiqueta: string): Promise<void> {
  const client = await pool.connect()
  try {
    // Generated rows satisfy the foreign keys, and no trigger needs to see them.
    await client.query("set app.contas = '*'; set session_replication_role = replica")
    await client.query(prepareSql(Date.now()))
    await client.query(CONTATOS_SQL, [contaId, Array.from({ length: CONTATOS }, (_, n) => contatoName(n))])
    await client.query(ENDERECOS_SQL, [contaId])
    await client.query(ETIQUETAS_SQL, [contaId, etiqueta])
    for (let first = 1; first <= CONVERSAS; first += CONVERSAS_PER_STATEMENT) {
      await client.query(CONVERSAS_SQL, [contaId, first, first + CONVERSAS_PER_STATEMENT - 1])
      const texts = Array.from({ length: CONVERSAS_PER_STATEMENT * PER_CONVERSA }, (_, n) =>
        mensagemText(first * PER_CONVERSA + n),
      )
      await client.query(MENSAGENS_SQL, [contaId, first, texts])
    }
    await client.query('set session_replication_role = origin')
    await client.query('vacuum (analyze)')
  } finally {
    client.release(true)
  }
}
