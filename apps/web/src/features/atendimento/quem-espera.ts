import { buscarPagina, juntar, type ListaDeConversas, PAGINA_MAXIMA } from './paginas.ts'

/** Past this many people waiting, the order by waiting is true only of what was read. */
const PAGINAS_DE_ESPERA = 10

/** The server lists by activity; who waits longest may be pages away, and is served first. */
export async function juntarQuemEspera(lista: ListaDeConversas, signal: AbortSignal): Promise<ListaDeConversas> {
  let todas = lista.conversas
  let cursor: string | undefined
  for (let pagina = 0; pagina < PAGINAS_DE_ESPERA; pagina += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const esperam = await buscarPagina({ limite: PAGINA_MAXIMA, status: 'aguardando', cursor }, signal)
    todas = juntar(todas, esperam.conversas)
    cursor = esperam.proximoCursor
    if (cursor === undefined) break
  }
  return { ...lista, conversas: todas }
}
