import { createPool, createVault, type EmbeddedServer, type PoolClient } from '@balcao/server/bench'
import { COMPONENTES } from '@balcao/contract/constants'
import { defaultConfig } from '@balcao/contract/defaults'
import { APP_SECRET } from '../nodes/processes.ts'

export const CONTAS = 10_000
/** Their bots are wanted, as on one of ten nodes. */
export const BOTS = 1_000
/** Contas after this one use WhatsApp. */
const OTHER_CONNECTORS = 3_000
const CONVERSAS = 600_000
const MENSAGENS_PER_CONVERSA = 6
/** A day more than conversas are kept, so that a round of retention finds the rows of a day. */
const DAYS = 181
const SPAN_MS = DAYS * 86_400_000
const PRE_KEYS = 812
const SESSIONS = 331
const CONTAS_PER_STATEMENT = 100
const ALLOWED = JSON.stringify(Object.fromEntries(COMPONENTES.map((name) => [name, true])))
const STATEMENT_MS = 300_000
const FIRST_WITH_KEYS = OTHER_CONNECTORS + 1

export interface Counts {
  readonly mensagens: number
  readonly chaves: number
  readonly bytes: number
}

/**
 * The sizes of the contas fall as 1 / (n + 10): the largest has 8,000 conversas, the smallest 9. The number of a row is
 * the random part of its id.
 */
const PREPARE_SQL = (now: number): string => `
create schema prova;
create table prova.contas (
  n integer primary key, id uuid not null, canal text not null, conversas integer not null, contatos integer not null);
insert into prova.contas
select n, ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
  case when n <= ${BOTS} then 'simulador' when n <= ${OTHER_CONNECTORS} then 'oficial' else 'whatsapp' end,
  conversas, ceil(conversas / 3.0)
from (select n, round(${CONVERSAS} * (1.0 / (n + 10)) / sum(1.0 / (n + 10)) over ())::integer as conversas
        from generate_series(1, ${CONTAS}) n) tamanhos;
create function prova.uid(ms bigint, numero bigint) returns uuid language sql immutable as
  $$ select (lpad(to_hex(ms), 12, '0') || '70008' || lpad(to_hex(numero), 15, '0'))::uuid $$;
create function prova.em(conversas integer, numero bigint) returns bigint language sql immutable as
  $$ select ${now - SPAN_MS} + (${SPAN_MS}::float8 * (numero - 0.5::float8) / conversas)::bigint $$;
create function prova.instante(ms bigint) returns timestamptz language sql immutable as
  $$ select to_timestamp(ms / 1000.0) $$;`

/** Each statement fills one table for the contas `$1` to `$2`. */
const CONTAS_SQL = [
  `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos, criada_em)
   select id, 'Padaria ' || n, 1000, '${ALLOWED}', now() - interval '${DAYS} days' from prova.contas where n between $1 and $2`,
  `insert into usuarios (id, conta_id, nome, email, telefone, tipo, status, data_criacao)
   select prova.uid(1700000000000 + n, p), id, 'Pessoa ' || p || ' da Padaria ' || n, 'p' || p || '.' || n || '@loja.test',
     '5511' || (900000000 + n), case p when 0 then 'usuario' else 'operador' end,
     case when n % 50 = 0 and p = 0 then 'pendente' else 'ativo' end, now() - make_interval(hours => n % 4000)
   from prova.contas cross join generate_series(0, 1) p where n between $1 and $2`,
  `insert into bots (conta_id, desejado, conector, status)
   select id, n <= ${BOTS}, canal, 'PARADO' from prova.contas where n between $1 and $2`,
  `insert into uso_diario (conta_id, dia, usadas, total, recebidas)
   select id, current_date - d, usos, usos, usos
   from (select n, id, greatest(1, conversas * 3 / ${DAYS}) as usos from prova.contas) c
   cross join generate_series(0, ${DAYS - 1}) d where n between $1 and $2`,
  `insert into uso_ia (conta_id, dia, perguntas, tokens_entrada, tokens_saida)
   select id, current_date - d, 3, 900, 150 from prova.contas cross join generate_series(0, 29) d
   where n between $1 and $2 and n % 4 = 0`,
  `insert into emails (id, conta_id, tipo, para, assunto, texto, criado_em, enviado_em)
   select prova.uid(1700000000000 + n, e), id, 'boasVindas', 'p0.' || n || '@loja.test', 'Bem-vindo', 'Olá',
     now() - make_interval(days => e * 10), now() - make_interval(days => e * 10)
   from prova.contas cross join generate_series(0, 3) e where n between $1 and $2`,
  `insert into logs (conta_id, id, tipo, mensagem, timestamp)
   select id, prova.uid(ms, l), 'bot', 'Conversa ' || l || ' finalizada pelo cliente', prova.instante(ms)
   from (select n, id, l, prova.em(60, 61 - l) as ms from prova.contas cross join generate_series(1, 30) l) i
   where n between $1 and $2`,
  `insert into auditoria (id, em, acao, quem_nome, conta_id)
   select prova.uid(1700000000000 + n, a), now() - make_interval(days => a * 30), 'entrar', 'Pessoa ' || n, id
   from prova.contas cross join generate_series(0, 9) a where n between $1 and $2`,
]

const CONVERSAS_SQL = [
  `insert into contatos (conta_id, id, nome, telefone, conversa_id, endereco, ultima_atividade, ultimo_texto, criado_em)
   select id, prova.uid(prova.em(conversas, j), j), 'Cliente ' || j, tel, prova.uid(prova.em(conversas, k), k), 'tel:' || tel,
     prova.instante(prova.em(conversas, k)), 'Obrigado, até logo', prova.instante(prova.em(conversas, j))
   from (select n, c.id, conversas, j, '55119' || (10000000 + j) as tel, j + contatos * ((conversas - j) / contatos) as k
           from prova.contas c cross join lateral generate_series(1, contatos) j) i where n between $1 and $2`,
  `insert into enderecos (conta_id, endereco, contato_id)
   select id, 'tel:55119' || (10000000 + j), prova.uid(prova.em(conversas, j), j)
   from prova.contas cross join lateral generate_series(1, contatos) j where n between $1 and $2`,
  `insert into conversas (conta_id, id, contato_id, status, setor, protocolo, iniciada_em, ultima_atividade,
     aguardando_desde, finalizada_em, motivo_fim)
   select id, prova.uid(ms, k), prova.uid(prova.em(conversas, j), j), 'finalizada', case when pessoa then 'geral' end,
     case when pessoa then 'P' || k end, prova.instante(ms), prova.instante(ms + 120000),
     case when pessoa then prova.instante(ms + 60000) end, prova.instante(ms + 180000), 'cliente'
   from (select n, c.id, conversas, k, 1 + (k - 1) % contatos as j, prova.em(conversas, k) as ms, k % 3 = 0 as pessoa
           from prova.contas c cross join lateral generate_series(1, conversas) k) i where n between $1 and $2`,
  `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, midia, canal, id_externo, estado, criada_em)
   select id, prova.uid(ms + s * 15000, k * 8 + s), prova.uid(ms, k), case s % 2 when 1 then 'entrada' else 'saida' end,
     case s % 2 when 1 then 'cliente' else 'bot' end,
     case s % 2 when 1 then 'Bom dia, vocês têm pão francês hoje? Pedido ' || k
       else 'Olá! Bem-vindo à nossa loja. Escolha um número para continuar: 1 - Horários, 2 - Endereço, 0 - Sair' end,
     case when s = 1 and k % 6 = 0 then jsonb_build_object('url', '/api/midias/' || md5(id::text || k) || '.jpg') end,
     canal, upper(substr(md5(id::text || (k * 8 + s)), 1, 20)), 'entregue', prova.instante(ms + s * 15000)
   from (select n, c.id, canal, k, prova.em(conversas, k) as ms
           from prova.contas c cross join lateral generate_series(1, conversas) k) i
   cross join generate_series(1, ${MENSAGENS_PER_CONVERSA}) s where n between $1 and $2`,
  `insert into arquivos (conta_id, nome, uso, tipo, tamanho, estado, criado_em)
   select id, md5(id::text || k) || '.jpg', 'midia', 'image/jpeg', 80000, 'pronto', prova.instante(prova.em(conversas, k))
   from prova.contas cross join lateral generate_series(6, conversas, 6) k where n between $1 and $2`,
]

/** As long as sealed ones: a pre-key has 200 characters, a session 1,200. Only the first row can be opened. */
const KEYS_SQL = `
insert into whatsapp_chaves (conta_id, tipo, id, valor)
select c.id, 'pre-key', k::text, 'selado:k1:' || repeat(md5(k::text), 6)
from prova.contas c cross join generate_series(1, ${PRE_KEYS}) k
where n between $1 and $2 and n >= ${FIRST_WITH_KEYS} and not (n = ${FIRST_WITH_KEYS} and k = 1)
union all
select c.id, 'session', '5511' || (900000000 + k) || '.0', 'selado:k1:' || repeat(md5(k::text), 37)
from prova.contas c cross join generate_series(1, ${SESSIONS}) k
where n between $1 and $2 and n >= ${FIRST_WITH_KEYS}`

async function runForAll(client: PoolClient, statements: readonly string[], from = 1): Promise<void> {
  for (let first = from; first <= CONTAS; first += CONTAS_PER_STATEMENT) {
    for (const sql of statements) await client.query(sql, [first, first + CONTAS_PER_STATEMENT - 1])
  }
}

/** Configurations and the links of the simulador, which the program opens. */
async function fillSealed(client: PoolClient): Promise<void> {
  const vault = createVault(APP_SECRET)
  const { rows } = await client.query<{ id: string }>('select id from prova.contas where n <= $1 order by n', [BOTS])
  const ids = rows.map(({ id }) => id)
  const links = ids.map((id) => vault.seal(JSON.stringify({ pareado: true }), `bots|credenciais|${id}|sessao`))
  await client.query(
    `update bots b set credenciais = to_jsonb(i.selado) from unnest($1::uuid[], $2::text[]) as i (id, selado)
     where b.conta_id = i.id`,
    [ids, links],
  )
  const config = defaultConfig()
  const stored = { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } }
  await client.query(
    `insert into configuracoes (conta_id, versao, dados, bytes, autor)
     select id, 1, $1::jsonb, octet_length($1::jsonb::text), 'Pessoa 0' from prova.contas`,
    [JSON.stringify(stored)],
  )
}

async function fillKeys(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from prova.contas where n = $1', [FIRST_WITH_KEYS])
  const id = rows[0]?.id ?? ''
  const sealed = createVault(APP_SECRET).seal('chave', `whatsapp_chaves|valor|${id}|pre-key|1`)
  await client.query(`insert into whatsapp_chaves (conta_id, tipo, id, valor) values ($1, 'pre-key', '1', $2)`, [
    id,
    sealed,
  ])
  await runForAll(client, [KEYS_SQL], FIRST_WITH_KEYS)
}

async function fillConversas(client: PoolClient): Promise<void> {
  await runForAll(client, CONTAS_SQL)
  await fillSealed(client)
  await runForAll(client, CONVERSAS_SQL)
}

/** Without foreign keys, which would check each row, and without waiting for the disk. */
async function connectFiller(pool: ReturnType<typeof createPool>): Promise<PoolClient> {
  const client = await pool.connect()
  await client.query(`set session_replication_role = replica; set synchronous_commit = off; set work_mem = '64MB'`)
  return client
}

/**
 * Fills a migrated database as its owner, whom row-level security does not bind. Two connections work at once. Then the
 * tables are as after a night of autovacuum.
 */
export async function fill(server: EmbeddedServer, now: number): Promise<Counts> {
  const pool = createPool(server.target, { max: 2, statementTimeoutMs: STATEMENT_MS })
  const [one, two] = [await connectFiller(pool), await connectFiller(pool)]
  try {
    await one.query(PREPARE_SQL(now))
    await Promise.all([fillKeys(two), fillConversas(one)])
    await Promise.all([two.query('vacuum (analyze) whatsapp_chaves'), one.query('vacuum (analyze, skip_locked)')])
    await one.query('checkpoint')
    const { rows } = await one.query<Counts>(
      `select (select count(*) from mensagens) as mensagens, (select count(*) from whatsapp_chaves) as chaves,
         pg_database_size(current_database()) as bytes`,
    )
    return rows[0] ?? { mensagens: 0, chaves: 0, bytes: 0 }
  } finally {
    one.release(true)
    two.release(true)
    await pool.end()
  }
}
