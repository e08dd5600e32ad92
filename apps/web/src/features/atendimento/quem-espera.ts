import type { ListaDeConversas } from './paginas.ts'

/** At 200 per page: beyond 2,000 waiting conversas the order is right only for the loaded ones. */
const PAGINAS_DE_ESPERA = 10

type BuscarQuemEspera = (cursor: string | undefined) => Promise<ListaDeConversas>

/** The server sorts by activity, so the longest waiting conversa may be on a later page: adds all waiting conversas. */
export async function juntarQuemEspera(lista: ListaDeConversas, buscar: BuscarQuemEspera): Promise<ListaDeConversas> {
  const todas = new Map(lista.conversas.map((conversa) => [conversa.id, conversa]))
  let cursor: string | undefined
  for (let pagina = 0; pagina < PAGINAS_DE_ESPERA; pagina += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const esperam = await buscar(cursor)
    for (const conversa of esperam.conversas) if (!todas.has(conversa.id)) todas.set(conversa.id, conversa)
    cursor = esperam.proximoCursor
    if (cursor === undefined) break
  }
  return { ...lista, conversas: [...todas.values()] }
}
