import type { TipoDeArquivo } from './farejar.ts'

const MAXIMO = 120

/**
 * A file's name for a person: no folders, nothing invisible, and an ending that tells the truth, so that a text called
 * `boleto.bat` arrives as `boleto.bat.txt`. Empty when nothing is left of it.
 */
export function nomeParaPessoas(enviado: string, { extensoes }: Pick<TipoDeArquivo, 'extensoes'>): string {
  const limpo = (enviado.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .normalize('NFC')
    // Control characters, and the marks that write a name backwards or hide in it.
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

/** `attachment; filename="…"; filename*=UTF-8''…` (RFC 6266). */
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
