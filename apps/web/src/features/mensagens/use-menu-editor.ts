import type { Horario, MenuConfig, VersionedConfig } from '@balcao/contract/entities/config'
import type { ModeloMenu } from '@balcao/contract/presets/menu-templates'
import { notify } from '#shared/avisos.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type FormDraft, useConfigForm } from '#shared/form/use-config-form.ts'
import type { MenuEdit } from './check-edit.ts'
import { type GapDraft, gapTitle } from '#shared/ia/gap-draft.ts'
import {
  addOpcao,
  openMenuDraft,
  putBackOpcao,
  closeMenuDraft,
  type MenuDraft,
  removeOpcao,
} from './menu/menu-draft.ts'

/** Found before the request. Its message is shown as it is. */
class InvalidEdit extends Error {}

/** A menu line on a phone. */
const GAP_TITLE_MAX = 60

type DraftChange = (current: MenuDraft) => MenuDraft

function menuEditOf({ menu, atendimento }: VersionedConfig): MenuEdit {
  return { draft: openMenuDraft(menu), horario: atendimento.horario }
}

function isUntouched(values: MenuEdit, stored: MenuEdit): boolean {
  return values.draft === stored.draft && values.horario === stored.horario
}

/** Parts of the menu that are edited. The others are the account's and are not shown. */
export interface MenuParts {
  readonly menu: boolean
  readonly horario: boolean
}

export interface LineMenuEdit {
  readonly parts: MenuParts
  readonly save: (base: VersionedConfig, menu: MenuConfig, horario: Horario) => Promise<VersionedConfig>
}

const WHOLE_CONTA: MenuParts = { menu: true, horario: true }

export type MenuEditorState = ReturnType<typeof useMenuEditor>

/** Read-only until `edit`: a marked form is an open edit. `cancel` and a successful `save` end it. */
export function useMenuEditor(config: VersionedConfig, reload: () => Promise<unknown>, line?: LineMenuEdit) {
  const saveConfig = useSaveConfig()
  const form = useConfigForm({
    loaded: config,
    valuesOf: menuEditOf,
    equal: isUntouched,
    send: async (base, edit) => {
      const { menuEditError } = await import('./check-edit.ts')
      const missing = menuEditError(edit)
      if (missing !== null) throw new InvalidEdit(missing)
      const menu = closeMenuDraft(edit.draft)
      if (line !== undefined) return line.save(base, menu, edit.horario)
      return saveConfig({ ...base, menu, atendimento: { ...base.atendimento, horario: edit.horario } })
    },
  })
  const { values, saving, discard, closeConflict } = form
  const editing = form.draft.mark !== undefined

  const save = async (): Promise<void> => {
    if (!editing || saving) return
    const outcome = await form.save()
    if (outcome.tipo === 'conflito') return
    if (outcome.tipo === 'salva') return void notify.sucesso('Menu e mensagens salvos com sucesso!')
    const reason = errorMessage(outcome.error)
    notify.erro(outcome.error instanceof InvalidEdit ? reason : `Erro ao salvar configurações: ${reason}`)
  }

  return {
    ...{ draft: values.draft, horario: values.horario, editing, changed: form.changed, saving, save },
    ...{ parts: line?.parts ?? WHOLE_CONTA, ofLine: line !== undefined },
    ...{ conflict: form.conflict, closeConflict, cancel: discard },
    ...draftActions(form, editing),
    edit: () => form.update((now) => ({ ...now, mark: {} })),
    acceptServer: async () => {
      discard()
      await reload().catch((error: unknown) => notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`))
    },
  }
}

type MenuForm = ReturnType<typeof useConfigForm<VersionedConfig, MenuEdit>>
type MenuFormDraft = FormDraft<VersionedConfig, MenuEdit>

function draftActions({ draft: before, change, update }: MenuForm, editing: boolean) {
  const { draft } = before.values

  const replace = (text: string, done: DraftChange, undone?: DraftChange): void => {
    const start = { ...before, mark: before.mark ?? {} }
    update({ ...start, values: { ...before.values, draft: done(draft) } })
    const undo = (now: MenuFormDraft): MenuFormDraft => {
      // The undo does nothing after a cancel or save.
      if (now.mark !== start.mark) return now
      return undone === undefined ? start : { ...now, values: { ...now.values, draft: undone(now.values.draft) } }
    }
    notify.sucesso(text, { action: { label: 'Desfazer', run: () => update(undo) } })
  }

  return {
    change: (done: DraftChange): void => {
      if (editing) change((current) => ({ draft: done(current.draft) }))
    },
    changeHorario: (done: (current: Horario) => Horario): void => {
      if (editing) change((current) => ({ horario: done(current.horario) }))
    },
    remove: (key: string): void => {
      const index = draft.opcoes.findIndex((opcao) => opcao.key === key)
      const removed = draft.opcoes[index]
      if (removed === undefined) return
      if (draft.opcoes.length === 1) return void notify.erro('Deve haver pelo menos uma opção no menu')
      replace(
        `Opção “${removed.titulo}” removida`,
        (current) => removeOpcao(current, key),
        (current) => putBackOpcao(current, removed, index),
      )
    },
    answerGap: (gap: GapDraft): void => {
      const titulo = gapTitle(gap, GAP_TITLE_MAX)
      replace(`Opção “${titulo}” criada. Escreva a resposta, veja o efeito no ensaio e salve.`, (current) =>
        addOpcao(current, { titulo, resposta: '' }),
      )
    },
    mend: (done: DraftChange): void => replace('Menu corrigido. Salve para valer.', done),
    restore: async (): Promise<void> => {
      const { defaultMenu } = await import('@balcao/contract/defaults')
      replace('Menu restaurado para o padrão. Salve para valer.', () => openMenuDraft(defaultMenu()))
    },
    applyTemplate: ({ menuPrincipal, nome, opcoes }: ModeloMenu): void =>
      replace(`Modelo “${nome}” aplicado. Salve para valer.`, (current) =>
        openMenuDraft({ ...closeMenuDraft(current), menuPrincipal, opcoes: [...opcoes] }),
      ),
  }
}
