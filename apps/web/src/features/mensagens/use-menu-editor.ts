import type { VersionedConfig, Horario } from '@balcao/contract/entities/config'
import type { ModeloMenu } from '@balcao/contract/menu-templates'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useSaveConfig } from '#shared/data/config/use-save-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { openMenuDraft, putBackOpcao, closeMenuDraft, type MenuDraft, removeOpcao } from './menu/menu-draft.ts'

/** The draft and the configuration it started from. `base.versao` detects saves by another window. */
export interface MenuEdit {
  readonly base: VersionedConfig
  readonly draft: MenuDraft
  readonly horario: Horario
  readonly changed: boolean
}

export type MenuEditorState = ReturnType<typeof useMenuEditor>

/** Read-only until `editar`. `cancelar` and a successful `salvar` end the edit. */
export function useMenuEditor(config: VersionedConfig, reload: () => Promise<unknown>) {
  const [edit, setEdicao] = useState<MenuEdit | null>(null)
  const [conflito, setConflito] = useState(false)
  const [salvando, setSalvando] = useState(false)
  const { salvarConfig } = useSaveConfig()
  const [stopped, setParado] = useState(() => ({ menu: config.menu, rascunho: openMenuDraft(config.menu) }))
  if (stopped.menu !== config.menu) setParado({ menu: config.menu, rascunho: openMenuDraft(config.menu) })
  const rascunho = edit?.draft ?? stopped.rascunho
  const horario = edit?.horario ?? config.atendimento.horario

  const mudar = (done: (current: MenuDraft) => MenuDraft): void =>
    setEdicao((current) => (current === null ? null : { ...current, draft: done(current.draft), changed: true }))

  const mudarHorario = (done: (current: Horario) => Horario): void =>
    setEdicao((current) => (current === null ? null : { ...current, horario: done(current.horario), changed: true }))

  /** Changes the draft, starts an edit if needed, and offers an undo. */
  const trocar = (
    text: string,
    done: (current: MenuDraft) => MenuDraft,
    desfeito?: (current: MenuDraft) => MenuDraft,
  ): void => {
    const before = edit ?? { base: config, draft: rascunho, horario, changed: false }
    setEdicao({ ...before, draft: done(before.draft), changed: true })
    const undo = (now: MenuEdit | null): MenuEdit | null => {
      // The undo does nothing after a cancel or save.
      if (now?.base !== before.base) return now
      return desfeito === undefined ? before : { ...now, draft: desfeito(now.draft) }
    }
    notify.sucesso(text, { action: { label: 'Desfazer', run: () => setEdicao(undo) } })
  }

  const salvar = async (): Promise<void> => {
    if (edit === null || salvando) return
    setSalvando(true)
    try {
      const { editError, withEdit } = await import('./check-edit.ts')
      const missing = editError(edit)
      if (missing !== null) return void notify.erro(missing)
      const salva = await salvarConfig(withEdit(edit))
      // Edits made during the save stay in the draft.
      setEdicao((now) => (now === edit || now === null ? null : { ...now, base: salva }))
      notify.sucesso('Menu e mensagens salvos com sucesso!')
    } catch (error) {
      if (error instanceof ApiError && error.codigo === 'versaoDesatualizada') setConflito(true)
      else notify.erro(`Erro ao salvar configurações: ${errorMessage(error)}`)
    } finally {
      setSalvando(false)
    }
  }

  return {
    rascunho,
    horario,
    editando: edit !== null,
    alterado: edit?.changed === true,
    salvando,
    conflito,
    editar: () => setEdicao({ base: config, draft: openMenuDraft(config.menu), horario, changed: false }),
    cancelar: () => setEdicao(null),
    mudar,
    mudarHorario,
    salvar,
    remover: (chave: string) => {
      const index = rascunho.opcoes.findIndex((opcao) => opcao.key === chave)
      const removida = rascunho.opcoes[index]
      if (removida === undefined) return
      if (rascunho.opcoes.length === 1) return void notify.erro('Deve haver pelo menos uma opção no menu')
      trocar(
        `Opção “${removida.titulo}” removida`,
        (current) => removeOpcao(current, chave),
        (current) => putBackOpcao(current, removida, index),
      )
    },
    restaurar: async () => {
      const { defaultMenu } = await import('@balcao/contract/defaults')
      trocar('Menu restaurado para o padrão. Salve para valer.', () => openMenuDraft(defaultMenu()))
    },
    aplicarModelo: ({ menuPrincipal, nome, opcoes }: ModeloMenu) =>
      trocar(`Modelo “${nome}” aplicado. Salve para valer.`, (current) =>
        openMenuDraft({ ...closeMenuDraft(current), menuPrincipal, opcoes: [...opcoes] }),
      ),
    /** Resolves a conflict: loads the other window's version and discards the draft. */
    aceitarServidor: async () => {
      setConflito(false)
      setEdicao(null)
      await reload().catch((error: unknown) => notify.erro(`Erro ao recarregar configurações: ${errorMessage(error)}`))
    },
    fecharConflito: () => setConflito(false),
  }
}
