export function toolRequestText(request: string): string {
  const lido = parseJson(request)
  return typeof lido === 'object' && lido !== null ? Object.values(lido).join(', ') : request
}

/** `{"produtos":[{"nome":"Bolo"}]}` → `1 produto: Bolo`. Anything else is returned unchanged. */
export function toolResultText(result: string): string {
  const lido = parseJson(result)
  if (typeof lido !== 'object' || lido === null || !('produtos' in lido) || !Array.isArray(lido.produtos))
    return result
  const nomes = lido.produtos.map((produto: unknown) =>
    typeof produto === 'object' && produto !== null && 'nome' in produto ? String(produto.nome) : '?',
  )
  if (nomes.length === 0) return 'Nenhum produto encontrado'
  return `${nomes.length === 1 ? '1 produto' : `${nomes.length} produtos`}: ${nomes.join(', ')}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
