import type { connectDirect } from '@balcao/server/bench'

export const CONVERSAS = 100_000
export const MENSAGENS = 1_000_000
const OPEN = 2_000
const CONTATOS = 40_000
const PER_CONVERSA = MENSAGENS / CONVERSAS
const DAYS = 170
/** Every this many contatos have the tag. */
export const TAGGED_EVERY = 20
const CONVERSAS_PER_STATEMENT = 10_000

type Client = Awaited<ReturnType<typeof connectDirect>>

/**
 * Words of a shop, the first ones most frequent: word `n` of 400 appears with a weight of about 1 / n. Generated
 * syllables make the rest, so that rare words exist.
 */
const WORDS = [
  ...'oi bom dia quero pedido entrega hoje amanhã obrigada por favor pão francês bolo chocolate aniversário'.split(' '),
  ...'preço quanto custa cartão dinheiro troco endereço rua número bairro horário aberto fechado encomenda'.split(' '),
  ...'salgado coxinha esfiha refrigerante suco café leite manteiga queijo presunto torta limão morango'.split(' '),
]
const SYLLABLES = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'zo']

function wordAt(n: number): string {
  const known = WORDS[n]
  if (known !== undefined) return known
  const syllable = (index: number): string => SYLLABLES[index % SYLLABLES.length] ?? ''
  return syllable(n) + syllable(Math.floor(n / 14)) + syllable(Math.floor(n / 196) + 3)
}

export const VOCABULARY: readonly string[] = Array.from({ length: 4_000 }, (_, n) => wordAt(n))

/** Row `n` has the number in the random part of its id, so the ids grow with the time. */
const PREPARE_SQL = `
create schema prova;
create table prova.palavras (n integer primary key, palavra text not null);
create function prova.uid(ms bigint, numero bigint) returns uuid language sql immutable as
  $$ select (lpad(to_hex(ms), 12, '0') || '70008' || lpad(to_hex(numero), 15, '0'))::uuid $$;
create function prova.em(numero bigint) returns bigint language sql stable as
  $$ select (extract(epoch from now()) * 1000)::bigint - ${DAYS} * 86400000::bigint
       + (${DAYS}::float8 * 86400000 * numero / ${CONVERSAS})::bigint $$;
create function prova.frase(semente bigint) returns text language sql stable as
  $$ select string_agg(palavra, ' ') from generate_series(1, 9) i
     join prova.palavras p on p.n = floor(exp(ln(${VOCABULARY.length}) * abs(hashint8(semente * 16 + i)::float8 / 2147483648)))::int $$;`

const CONTATOS_SQL = `
insert into contatos (conta_id, id, nome, telefone, endereco, ultima_atividade, criado_em)
select $1, prova.uid(prova.em(j), j), initcap(prova.frase(-j)), '55119' || (10000000 + j), 'tel:55119' || (10000000 + j),
  to_timestamp(prova.em(j) / 1000.0), to_timestamp(prova.em(j) / 1000.0)
from generate_series(1, ${CONTATOS}) j`
const ENDERECOS_SQL = `
insert into enderecos (conta_id, endereco, contato_id)
select conta_id, endereco, id from contatos where conta_id = $1 on conflict do nothing`
const ETIQUETAS_SQL = `
insert into contatos_etiquetas (conta_id, etiqueta_id, contato_id)
select $1, $2, prova.uid(prova.em(j), j) from generate_series(${TAGGED_EVERY}, ${CONTATOS}, ${TAGGED_EVERY}) j`
const CONVERSAS_SQL = `
insert into conversas (conta_id, id, contato_id, status, setor, protocolo, iniciada_em, ultima_atividade,
  aguardando_desde, primeira_resposta_em, finalizada_em, motivo_fim)
select $1, prova.uid(prova.em(k), k), prova.uid(prova.em(j), j), case when aberta then 'aguardando' else 'finalizada' end,
  'geral', 'P' || k, em, em + interval '9 minutes', em, case when not aberta then em + interval '2 minutes' end,
  case when not aberta then em + interval '10 minutes' end, case when not aberta then 'operador' end
from (select k, 1 + k % ${CONTATOS} as j, k > ${CONVERSAS - OPEN} as aberta, to_timestamp(prova.em(k) / 1000.0) as em
        from generate_series($2::int, $3::int) k) i`
const MENSAGENS_SQL = `
insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
select $1, prova.uid(prova.em(k) + s * 30000, k * 16 + s), prova.uid(prova.em(k), k),
  case s % 2 when 1 then 'entrada' else 'saida' end, case s % 2 when 1 then 'cliente' else 'operador' end,
  prova.frase(k * 16 + s), 'simulador', 'entregue', to_timestamp(prova.em(k) / 1000.0 + s * 30)
from generate_series($2::int, $3::int) k cross join generate_series(1, ${PER_CONVERSA}) s`

/** Fills one conta with conversas of people. `etiqueta`: the tag of every twentieth contato. */
export async function fillLargeConta(client: Client, contaId: string, etiqueta: string): Promise<void> {
  // Generated rows satisfy the foreign keys, and no trigger needs to see them.
  await client.query("set statement_timeout = 0; set app.contas = '*'; set session_replication_role = replica")
  await client.query(PREPARE_SQL)
  await client.query('insert into prova.palavras select n - 1, p from unnest($1::text[]) with ordinality as i (p, n)', [
    VOCABULARY,
  ])
  await client.query(CONTATOS_SQL, [contaId])
  await client.query(ENDERECOS_SQL, [contaId])
  await client.query(ETIQUETAS_SQL, [contaId, etiqueta])
  for (let first = 1; first <= CONVERSAS; first += CONVERSAS_PER_STATEMENT) {
    const range = [contaId, first, first + CONVERSAS_PER_STATEMENT - 1]
    await client.query(CONVERSAS_SQL, range)
    await client.query(MENSAGENS_SQL, range)
  }
  await client.query('set session_replication_role = origin')
  await client.query('vacuum (analyze)')
}
