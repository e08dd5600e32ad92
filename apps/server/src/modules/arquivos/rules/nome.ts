import type { TipoDeArquivo } from './farejar.ts'

const MAXIMO = 120

/**
 * Cleans a file name for display: no folders, no invisible characters, at most 120 characters, and an extension
 * that matches the content. `boleto.bat` with plain text becomes `boleto.bat.txt`. Returns '' if no character is
 * left.
 */
export function nomeParaPessoas(enviado: string, { extensoes }: Pick<TipoDeArquivo, 'extensoes'>): string {
  const limpo = (enviado.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .normalize('NFC')
    // Removes control characters and Unicode format characters, such as those that reverse the text direction.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+/, '')
    .trim()
  const [base, extensao] = separar(limpo, extensoes)
  const curta = [...base]
    .slice(0, MAXIMO - extensao.length - 1)
    .join('')
    .replace(/[\s.]+$/, '')
  return curta === '' ? '' : `${curta}.${extensao}`
}

function separar(nome: string, extensoes: TipoDeArquivo['extensoes']): [base: string, extensao: string] {
  const [base = '', achada] = /^(.*)\.([^.]+)$/u.exec(nome)?.slice(1) ?? [nome]
  const certa = extensoes.find((extensao) => extensao === achada?.toLowerCase())
  return certa === undefined ? [nome, extensoes[0]] : [base, certa]
}

export function contentDisposition(como: 'inline' | 'attachment', nome: string): string {
  if (nome === '') return como
  const ascii = nome
    .normalize('NFD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/["\\%]/g, '_')
  const exato = encodeURIComponent(nome).replaceAll(
    /['()*]/g,
    (letra) => `%${letra.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${como}; filename="${ascii}"; filename*=UTF-8''${exato}`
}
