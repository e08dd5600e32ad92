/** Map that evicts the least recently used entry. `Map` keeps insertion order, so a read deletes and sets the entry. */
export class Lru<V> {
  readonly #maximo: number
  readonly #mapa = new Map<string, V>()

  constructor(max: number) {
    this.#maximo = max
  }

  get(key: string): V | undefined {
    const value = this.#mapa.get(key)
    if (value === undefined) return undefined
    this.#mapa.delete(key)
    this.#mapa.set(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.#mapa.delete(key)
    this.#mapa.set(key, value)
    if (this.#mapa.size <= this.#maximo) return
    const [maisAntiga] = this.#mapa.keys()
    if (maisAntiga !== undefined) this.#mapa.delete(maisAntiga)
  }

  take(key: string): V | undefined {
    const value = this.#mapa.get(key)
    this.#mapa.delete(key)
    return value
  }

  delete(key: string): void {
    this.#mapa.delete(key)
  }

  clear(): void {
    this.#mapa.clear()
  }
}
