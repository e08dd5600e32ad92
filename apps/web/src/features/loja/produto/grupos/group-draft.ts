import { type Grupo, gruposSchema, type OpcaoGrupo } from '@balcao/contract/entities/produto'
import { formatCentsInput, parseCents } from '#shared/form/price.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'

/** Groups of options as the form holds them. Numbers and sums are typed texts; ids are also keys of the rows. */

export interface OpcaoDraft extends Omit<OpcaoGrupo, 'acrescimoCentavos'> {
  readonly acrescimo: string
}

export interface GroupDraft extends Pick<Grupo, 'id' | 'nome' | 'preco'> {
  readonly minimo: string
  readonly maximo: string
  readonly opcoes: readonly OpcaoDraft[]
}

export const GROUPS_MAX = 10
/** Of a group. */
export const OPCOES_MAX = 30

export function newOpcao(): OpcaoDraft {
  return { id: crypto.randomUUID(), nome: '', acrescimo: '', ativa: true }
}

export function newGroup(): GroupDraft {
  const opcoes = [newOpcao(), newOpcao()]
  return { id: crypto.randomUUID(), nome: '', minimo: '0', maximo: '1', preco: 'soma', opcoes }
}

/** A pizza of one or two flavours. Two cost as much as the dearer one. */
export function halfAndHalf(): GroupDraft {
  return { ...newGroup(), nome: 'Sabores', minimo: '1', maximo: '2', preco: 'maior' }
}

export function openGroups(grupos: readonly Grupo[]): readonly GroupDraft[] {
  return grupos.map(({ minimo, maximo, opcoes, ...grupo }) => ({
    ...grupo,
    ...{ minimo: String(minimo), maximo: String(maximo) },
    opcoes: opcoes.map(({ acrescimoCentavos, ...opcao }) => ({
      ...opcao,
      acrescimo: acrescimoCentavos === 0 ? '' : formatCentsInput(acrescimoCentavos),
    })),
  }))
}

export function closeGroups(grupos: readonly GroupDraft[]): Grupo[] {
  return grupos.map(({ id, nome, minimo, maximo, preco, opcoes }) => ({
    ...{ id, preco, nome: nome.trim() },
    minimo: Math.min(OPCOES_MAX, Number(minimo)),
    maximo: Math.min(OPCOES_MAX, Math.max(1, Number(maximo))),
    opcoes: opcoes.map(({ acrescimo, ...opcao }) => ({
      ...opcao,
      nome: opcao.nome.trim(),
      acrescimoCentavos: parseCents(acrescimo) ?? 0,
    })),
  }))
}

/** By the path of each field, such as `grupos.0.opcoes.1.nome`. */
export function groupErrors(grupos: readonly GroupDraft[]): FormErrors {
  const parsed = gruposSchema.safeParse(closeGroups(grupos), { error: () => 'Confira este campo.' })
  if (parsed.success) return {}
  return Object.fromEntries(parsed.error.issues.map(({ path, message }) => [['grupos', ...path].join('.'), message]))
}

/** Moves the item to the place of its neighbour. */
export function moved<T>(list: readonly T[], index: number, step: -1 | 1): readonly T[] {
  const item = list[index]
  return item === undefined ? list : list.toSpliced(index, 1).toSpliced(index + step, 0, item)
}
