/** Map that evicts the least recently used entry. `Map` keeps insertion order, so a read deletes and sets the entry. */
export class Lru<V> {
  readonly #maximo: number
  readonly #mapa = new Map<string, V>()

  constructor(maximo: number) {
    this.#maximo = maximo
  }

  get(chave: string): V | undefined {
    const valor = this.#mapa.get(chave)
    if (valor === undefined) return undefined
    this.#mapa.delete(chave)
    this.#mapa.set(chave, valor)
    return valor
  }

  set(chave: string, valor: V): void {
    this.#mapa.delete(chave)
    this.#mapa.set(chave, valor)
    if (this.#mapa.size <= this.#maximo) return
    const [maisAntiga] = this.#mapa.keys()
    if (maisAntiga !== undefined) this.#mapa.delete(maisAntiga)
  }

  take(chave: string): V | undefined {
    const valor = this.#mapa.get(chave)
    this.#mapa.delete(chave)
    return valor
  }

  delete(chave: string): void {
    this.#mapa.delete(chave)
  }

  clear(): void {
    this.#mapa.clear()
  }
}
