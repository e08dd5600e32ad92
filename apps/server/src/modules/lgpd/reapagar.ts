import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { type ApagarDeps, apagarContato } from './apagar-titular.ts'
import { type Lapide, lugarDaLapide, reunirLapides } from './lapides.ts'

const POR_VEZ = 5_000

const enderecoSchema = z.object({ endereco: z.string(), contato_id: z.string(), criado_em: z.date() })

/**
 * Erases customers again that a restored backup brought back. Runs at every start, before the bots. A contato
 * created after the erasure is a new customer and stays. Returns how many were erased.
 */
export async function reapagarTitulares(deps: ApagarDeps): Promise<number> {
  let foram = 0
  for (const [contaId, lapides] of Map.groupBy(await reunirLapides(deps), ({ contaId: conta }) => conta)) {
    for (const contatoId of await listRestaurados(deps, contaId, lapides)) {
      await apagarContato(deps, contatoId, { contaId, pedinte: null })
      foram += 1
    }
  }
  if (foram > 0) deps.log.warn({ clientes: foram }, 'contatos of restored backup erased again')
  return foram
}

async function listRestaurados(
  { db, cofre }: Pick<ApagarDeps, 'db' | 'cofre'>,
  contaId: string,
  lapides: readonly Lapide[],
): Promise<Set<string>> {
  const quando = new Map(lapides.map(({ marca, apagadoEm }) => [marca, apagadoEm]))
  const ultima = new Date(Math.max(...lapides.map(({ apagadoEm }) => apagadoEm.getTime())))
  const achados = new Set<string>()
  let depoisDe = ''
  for (;;) {
    const pagina = await db.read(contaId, (tx) => listEnderecos(tx, contaId, ultima, depoisDe))
    for (const { endereco, contato_id, criado_em } of pagina) {
      const marcas = cofre.marcas(endereco, lugarDaLapide(contaId))
      if (marcas.some((marca) => criado_em <= (quando.get(marca) ?? new Date(0)))) achados.add(contato_id)
    }
    const fim = pagina.at(-1)
    if (fim === undefined || pagina.length < POR_VEZ) return achados
    depoisDe = fim.endereco
  }
}

function listEnderecos(
  tx: Tx,
  contaId: string,
  ate: Date,
  depoisDe: string,
): Promise<z.output<typeof enderecoSchema>[]> {
  return tx.rows(
    enderecoSchema,
    `select e.endereco, e.contato_id, c.criado_em from enderecos e
     join contatos c on c.conta_id = e.conta_id and c.id = e.contato_id
     where e.conta_id = $1 and e.endereco > $3 and c.criado_em <= $2 order by e.endereco limit ${POR_VEZ}`,
    [contaId, ate, depoisDe],
  )
}
