import * as z from 'zod/mini'
import { createCartSchema, type Cart } from '@balcao/engine/pedidos/cart'
import { instant } from '#db/statement/fields.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

const now = value('now', 'timestamptz')
const contatoId = value('contatoId', 'uuid')
const id = value('id', 'uuid')

/** The number to write to: of the main line, else of another active one. */
const numberOf = sql`(select b.numero from linhas_bots b left join linhas l on l.conta_id = b.conta_id and l.id = b.linha_id
    where b.conta_id = p.conta_id and b.numero <> '' and b.desejado and l.removida_em is null
    order by coalesce(l.principal, true) desc, b.linha_id limit 1)`

/** The shop of a page that is on: with the component, and an active owner. */
export const findPage = oneRow(
  'cardapio: find page',
  z.object({ contaId: z.string(), empresa: z.string(), versaoContexto: z.int(), numero: z.nullable(z.string()) }),
  sql`select p.conta_id, c.empresa, c.versao_contexto, ${numberOf} as numero
    from paginas p
    join contas c on c.id = p.conta_id and c.excluida_em is null and c.mudanca is null
      and c.componentes_permitidos -> 'lojaWhatsapp' = 'true'
    where p.endereco = ${value('endereco', 'text')} and p.ativa
      and exists (select from usuarios u where u.conta_id = p.conta_id and u.tipo <> 'operador'
        and u.status = 'ativo' and u.excluido_em is null)`,
  { prepared: true },
)
export type PageRow = NonNullable<Awaited<ReturnType<typeof findPage>>>

const storedSchema = z.object({
  codigo: z.string(),
  totalCentavos: z.int(),
  noChat: z.boolean(),
  expiraEm: instant,
})
export type StoredCart = z.output<typeof storedSchema>

const findRow = oneRow(
  'cardapio: find cart',
  storedSchema,
  sql`select codigo, total_centavos::float8 as total_centavos, no_chat, expira_em from carrinhos_pagina
    where conta_id = ${contaId} and id = ${id}`,
  { prepared: true },
)

interface CartKey {
  readonly contaId: string
  readonly id: string
  readonly now: Date
}

/** With the time in the query PostgreSQL may read all carts of the shop by their end, instead of the one by its id. */
export async function findCart(tx: Tx, { now: at, ...key }: CartKey): Promise<StoredCart | null> {
  const cart = await findRow(tx, key)
  return cart !== null && Date.parse(cart.expiraEm) > at.getTime() ? cart : null
}

/** Carts of a conta that ended before a moment, at most 1,000. */
const expired = sql`conta_id = ${contaId} and id = any (array(select id from carrinhos_pagina
    where conta_id = ${contaId} and expira_em <= ${now} order by expira_em ${rawSql('limit 1000')}))`

/** Deletes expired carts, so that no customer's address stays longer. Returns nothing if the id or the code exists. */
const insertRow = oneRow(
  'cardapio: insert cart',
  z.object({ id: z.string() }),
  sql`with gone as (delete from carrinhos_pagina where ${expired})
    insert into carrinhos_pagina (conta_id, id, codigo, contato_id, carrinho, total_centavos, no_chat, criado_em, expira_em)
    values (${contaId}, ${id}, ${value('codigo', 'text')}, ${value('contatoId', 'uuid?')}, ${value('carrinho', 'jsonb?')},
      ${value('totalCentavos', 'bigint')}, ${value('noChat', 'bool')}, ${now}, ${value('expiraEm', 'timestamptz')})
    on conflict do nothing returning id`,
  { prepared: true },
)

export async function insertCart(tx: Tx, cart: Parameters<typeof insertRow>[1]): Promise<boolean> {
  return (await insertRow(tx, cart)) !== null
}

/** A link of the chat is valid while its contato exists and its line is not deleted. */
export const isDialogue = oneValue(
  'cardapio: is dialogue',
  z.boolean(),
  sql`select exists (select from contatos c where c.conta_id = ${contaId} and c.id = ${contatoId})
    and not exists (select from linhas l where l.conta_id = ${contaId} and l.id = ${value('linhaId', 'uuid')}
      and l.removida_em is not null) as value`,
)

const listOpen = manyRows(
  'cardapio: list open carts',
  z.object({ contaId: z.string(), id: z.string(), codigo: z.string(), carrinho: z.unknown() }),
  sql`select c.conta_id, c.id, c.codigo, c.carrinho
    from ${columns('i', { contaId: 'uuid', codigo: 'text' })}
    join carrinhos_pagina c on c.conta_id = i.conta_id and c.codigo = i.codigo
    where c.contato_id is null and c.expira_em > ${now}`,
)

/** The state of the bot keeps the cart from now on. */
const claimRows = manyRows(
  'cardapio: claim carts',
  z.object({ id: z.string(), contaId: z.string() }),
  sql`update carrinhos_pagina c set contato_id = i.contato_id, carrinho = null
    from ${columns('i', { contaId: 'uuid', id: 'uuid', contatoId: 'uuid' })}
    where c.conta_id = i.conta_id and c.id = i.id and c.contato_id is null returning c.id, c.conta_id`,
)

export interface CartClaim {
  readonly contaId: string
  readonly contatoId: string
  readonly codigos: readonly string[]
  readonly now: Date
}

let cartSchema: ReturnType<typeof createCartSchema> | undefined

/**
 * Gives each contato the open cart of the first code that has one. Two contatos never get the same cart. Returns null for
 * a contato without one.
 */
export async function claimCarts(tx: Tx, claims: readonly CartClaim[]): Promise<(Cart | null)[]> {
  const [first] = claims
  if (first === undefined) return []
  const wanted = claims.flatMap(({ contaId, codigos }) => codigos.map((codigo) => ({ contaId, codigo })))
  const open = await listOpen(tx, { i: wanted, now: first.now })
  const taken = new Set<string>()
  const chosen = claims.map(({ contaId, codigos }) => {
    const fits = (codigo: string) =>
      open.find((cart) => cart.contaId === contaId && cart.codigo === codigo && !taken.has(cart.id))
    const cart = codigos.map(fits).find((found) => found !== undefined) ?? null
    if (cart !== null) taken.add(cart.id)
    return cart
  })
  const i = claims.flatMap(({ contaId, contatoId }, n) => {
    const cart = chosen[n] ?? null
    return cart === null ? [] : [{ contaId, id: cart.id, contatoId }]
  })
  if (i.length === 0) return claims.map(() => null)
  // Another batch may have claimed a cart since it was read.
  const claimed = new Set((await claimRows(tx, { i })).map((row) => row.id))
  cartSchema ??= createCartSchema()
  const schema = cartSchema
  return chosen.map((cart) =>
    cart === null || !claimed.has(cart.id) ? null : (schema.safeParse(cart.carrinho).data ?? null),
  )
}

/** Of a contato, for its export. */
export const listCartsOf = manyRows(
  'cardapio: list carts of contato',
  z.object({ codigo: z.string(), totalCentavos: z.int(), criadoEm: instant, expiraEm: instant }),
  sql`select codigo, total_centavos::float8 as total_centavos, criado_em, expira_em from carrinhos_pagina
    where conta_id = ${contaId} and contato_id = ${contatoId} order by criado_em, id ${rawSql('limit 1000')}`,
)

const deleteExpiredRows = noRows('cardapio: delete expired carts', sql`delete from carrinhos_pagina where ${expired}`)

export function deleteExpiredCarts(tx: Tx, old: { readonly contaId: string; readonly em: Date }): Promise<number> {
  return deleteExpiredRows(tx, { contaId: old.contaId, now: old.em })
}
