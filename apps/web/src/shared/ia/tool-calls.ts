export function toolRequestText(request: string): string {
  const parsed = parseJson(request)
  return typeof parsed === 'object' && parsed !== null ? Object.values(parsed).join(', ') : request
}

/** `{"produtos":[{"nome":"Bolo"}]}` → `1 produto: Bolo`. Anything else is returned unchanged. */
export function toolResultText(result: string): string {
  const parsed = parseJson(result)
  if (typeof parsed !== 'object' || parsed === null || !('produtos' in parsed) || !Array.isArray(parsed.produtos))
    return result
  const names = parsed.produtos.map((produto: unknown) =>
    typeof produto === 'object' && produto !== null && 'nome' in produto ? String(produto.nome) : '?',
  )
  if (names.length === 0) return 'Nenhum produto encontrado'
  return `${names.length === 1 ? '1 produto' : `${names.length} produtos`}: ${names.join(', ')}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
