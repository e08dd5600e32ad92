import type { Pool, PoolClient } from 'pg'
import type { Cofre } from '#security/cofre.ts'

/**
 * One kind of sealed value. `valor` and `lugar` are SQL expressions: the sealed text and the context it is bound
 * to. `gravar` is the assignment that stores $1.
 */
interface Lugar {
  readonly tabela: string
  readonly valor: string
  readonly lugar: string
  readonly gravar: string
}

const coluna = (tabela: string, nome: string, lugar: string): Lugar => ({
  tabela,
  valor: nome,
  lugar: `'${tabela}|${nome}|' || ${lugar}`,
  gravar: `${nome} = $1::text`,
})

/**
 * All sealed values of the product. A missing entry would not be resealed when the secret changes; a test checks
 * the list.
 */
export const LUGARES_SELADOS: readonly Lugar[] = [
  {
    tabela: 'configuracoes',
    valor: `dados #>> '{gemini,apiKey}'`,
    lugar: `'configuracoes|dados.gemini.apiKey|' || conta_id || '|config'`,
    gravar: `dados = jsonb_set(dados, '{gemini,apiKey}', to_jsonb($1::text))`,
  },
  {
    tabela: 'bots',
    valor: `credenciais #>> '{}'`,
    lugar: `'bots|credenciais|' || conta_id || '|sessao'`,
    gravar: 'credenciais = to_jsonb($1::text)',
  },
  coluna('configuracoes_admin', 'canario', `'unica'`),
  coluna('emails', 'texto', 'id'),
  coluna('whatsapp_chaves', 'valor', `conta_id || '|' || tipo || '|' || id`),
  coluna('whatsapp_chegadas', 'valor', `conta_id || '|' || id`),
  coluna('oficial_contas', 'token', `conta_id || '|conta'`),
  coluna('oficial_contas', 'segredo', `conta_id || '|conta'`),
  coluna('oficial_contas', 'verificacao', `conta_id || '|conta'`),
  coluna('oficial_chegadas', 'valor', `conta_id || '|' || id`),
]

const chaveDe = (valor: string): string => `substring(${valor} from '^selado:(k[0-9]+):')`

interface Selado {
  readonly ctid: string
  readonly chave: string
  readonly selado: string
  readonly lugar: string
}

async function sobreTodas<T>(owner: Pool, fn: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.contas', '*', true)`)
    const feito = await fn(client)
    await client.query('commit')
    return feito
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function ler(
  client: PoolClient,
  { tabela, valor, lugar }: Lugar,
  mais: string,
  args: unknown[],
): Promise<Selado[]> {
  const { rows } = await client.query<Selado>(
    `select ctid::text as ctid, ${chaveDe(valor)} as chave, ${valor} as selado, ${lugar} as lugar
     from ${tabela} where ${valor} like 'selado:%' ${mais}`,
    args,
  )
  return rows
}

/**
 * Opens one value of each key in each place. Throws a Portuguese sentence if a key is missing or wrong: the server
 * must not start and seal new values with another key.
 */
export async function conferirSelados(owner: Pool, cofre: Cofre): Promise<void> {
  await sobreTodas(owner, async (client) => {
    for (const onde of LUGARES_SELADOS) {
      const umDeCada = `and ctid in (select min(ctid) from ${onde.tabela} where ${onde.valor} like 'selado:%' group by ${chaveDe(onde.valor)})`
      for (const { selado, lugar, chave } of await ler(client, onde, umDeCada, [])) {
        try {
          cofre.open(selado, lugar)
        } catch {
          throw new Error(
            `há dados guardados em ${onde.tabela} que a chave ${chave} não abre. Use o mesmo APP_SECRET (ou o arquivo app-secret) com que foram guardados.`,
          )
        }
      }
    }
  })
}

const POR_VEZ = 500

/** Seals values of older keys again with the newest key. Returns the number of values per older key. */
export async function selarDeNovo(owner: Pool, cofre: Cofre): Promise<ReadonlyMap<string, number>> {
  const refeitos = new Map<string, number>()
  const [, atual = ''] = /^selado:(k\d+):/.exec(cofre.seal('', '')) ?? []
  for (const onde of LUGARES_SELADOS) {
    for (;;) {
      const feitos = await sobreTodas(owner, (client) => refazer(client, cofre, onde, atual, refeitos))
      if (feitos === 0) break
    }
  }
  return refeitos
}

async function refazer(
  client: PoolClient,
  cofre: Cofre,
  onde: Lugar,
  atual: string,
  refeitos: Map<string, number>,
): Promise<number> {
  const antigos = await ler(client, onde, `and ${onde.valor} not like $1 limit ${POR_VEZ} for update`, [
    `selado:${atual}:%`,
  ])
  for (const { ctid, chave, selado, lugar } of antigos) {
    const novo = cofre.seal(cofre.open(selado, lugar), lugar)
    await client.query(`update ${onde.tabela} set ${onde.gravar} where ctid = $2::tid`, [novo, ctid])
    refeitos.set(chave, (refeitos.get(chave) ?? 0) + 1)
  }
  return antigos.length
}
