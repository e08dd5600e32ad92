import type { ListaDeConversas } from './paginas.ts'

/** Past this many people waiting, the order by waiting is true only of what was read. */
const PAGINAS_DE_ESPERA = 10

type BuscarQuemEspera = (cursor: string | undefined) => Promise<ListaDeConversas>

/** The server lists by activity; who waits longest may be pages away, and is served first. */
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
