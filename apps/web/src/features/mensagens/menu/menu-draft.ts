import { RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { MenuConfig, OpcaoMenu, TipoOpcao } from '@balcao/contract/entities/config'
import { NOVA_OPCAO } from '@balcao/contract/presets/editor-presets'

/** Has a stable key, because number and title change while typing. */
export interface DraftOpcao extends OpcaoMenu {
  readonly key: string
}

export interface MenuDraft extends Omit<MenuConfig, 'opcoes'> {
  readonly opcoes: readonly DraftOpcao[]
}

export function openMenuDraft(menu: MenuConfig): MenuDraft {
  return { ...menu, opcoes: menu.opcoes.map((opcao) => ({ ...opcao, key: crypto.randomUUID() })) }
}

export function closeMenuDraft({ opcoes, ...menu }: MenuDraft): MenuConfig {
  return { ...menu, opcoes: opcoes.map(({ key: _, ...opcao }) => opcao) }
}

/** The number of options plus one, or the next free number above it. The customer's `05` is 5. */
function nextNumero(opcoes: readonly DraftOpcao[]): string {
  const taken = new Set(opcoes.map(({ numero }) => Number(numero)))
  let numero = opcoes.length + 1
  while (taken.has(numero)) numero += 1
  return String(numero)
}

export function addOpcao(draft: MenuDraft, fields: Partial<OpcaoMenu> = {}): MenuDraft {
  const fresh: DraftOpcao = { ...NOVA_OPCAO, numero: nextNumero(draft.opcoes), ...fields, key: crypto.randomUUID() }
  return { ...draft, opcoes: [...draft.opcoes, fresh] }
}

export function updateOpcao(draft: MenuDraft, key: string, fields: Partial<OpcaoMenu>): MenuDraft {
  return {
    ...draft,
    opcoes: draft.opcoes.map((opcao) => (opcao.key === key ? { ...opcao, ...fields } : opcao)),
  }
}

/** `humano` needs a setor, other types lose it. `loja` gets its default reply if empty. */
export function updateOpcaoTipo(draft: MenuDraft, key: string, tipo: TipoOpcao): MenuDraft {
  return {
    ...draft,
    opcoes: draft.opcoes.map((opcao) => {
      if (opcao.key !== key) return opcao
      const { setor, ...rest } = opcao
      const resposta = tipo === 'loja' && rest.resposta.trim() === '' ? RESPOSTA_LOJA_PADRAO : rest.resposta
      return tipo === 'humano' ? { ...rest, tipo, resposta, setor: setor ?? 'geral' } : { ...rest, tipo, resposta }
    }),
  }
}

export function removeOpcao(draft: MenuDraft, key: string): MenuDraft {
  return { ...draft, opcoes: draft.opcoes.filter((opcao) => opcao.key !== key) }
}

export function putBackOpcao(draft: MenuDraft, opcao: DraftOpcao, index: number): MenuDraft {
  if (draft.opcoes.some(({ key }) => key === opcao.key)) return draft
  return { ...draft, opcoes: draft.opcoes.toSpliced(index, 0, opcao) }
}

export function moveOpcao(draft: MenuDraft, key: string, to: number): MenuDraft {
  const from = draft.opcoes.findIndex((opcao) => opcao.key === key)
  const moved = draft.opcoes[from]
  if (moved === undefined || to < 0 || to >= draft.opcoes.length) return draft
  return { ...draft, opcoes: draft.opcoes.toSpliced(from, 1).toSpliced(to, 0, moved) }
}

export function numeroError({ opcoes }: MenuDraft, { key, numero }: DraftOpcao): string | undefined {
  if (!/^\d{1,3}$/.test(numero)) return 'Use de 1 a 3 dígitos'
  return opcoes.some((other) => other.key !== key && other.numero === numero) ? 'Número repetido' : undefined
}
