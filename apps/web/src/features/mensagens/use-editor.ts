import type { VersionedConfig, Horario } from '@balcao/contract/entities/config'
import type { ModeloMenu } from '@balcao/contract/modelos-de-menu'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useSaveConfig } from '#shared/dados/config-escrita.ts'
import { errorMessage } from '#shared/dados/erro.ts'
import { openMenuDraft, putBackOpcao, closeMenuDraft, type MenuDraft, removeOpcao } from './rascunho.ts'

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
  const [edicao, setEdicao] = useState<MenuEdit | null>(null)
  const [conflito, setConflito] = useState(false)
  const [salvando, setSalvando] = useState(false)
  const { salvarConfig } = useSaveConfig()
  const [parado, setParado] = useState(() => ({ menu: config.menu, rascunho: openMenuDraft(config.menu) }))
  if (parado.menu !== config.menu) setParado({ menu: config.menu, rascunho: openMenuDraft(config.menu) })
  const rascunho = edicao?.draft ?? parado.rascunho
  const horario = edicao?.horario ?? config.atendimento.horario

  const mudar = (feito: (atual: MenuDraft) => MenuDraft): void =>
    setEdicao((atual) => (atual === null ? null : { ...atual, draft: feito(atual.draft), changed: true }))

  const mudarHorario = (feito: (atual: Horario) => Horario): void =>
    setEdicao((atual) => (atual === null ? null : { ...atual, horario: feito(atual.horario), changed: true }))

  /** Changes the draft, starts an edit if needed, and offers an undo. */
  const trocar = (
    texto: string,
    feito: (atual: MenuDraft) => MenuDraft,
    desfeito?: (atual: MenuDraft) => MenuDraft,
  ): void => {
    const antes = edicao ?? { base: config, draft: rascunho, horario, changed: false }
    setEdicao({ ...antes, draft: feito(antes.draft), changed: true })
    const desfazer = (agora: MenuEdit | null): MenuEdit | null => {
      // The undo does nothing after a cancel or save.
      if (agora?.base !== antes.base) return agora
      return desfeito === undefined ? antes : { ...agora, draft: desfeito(agora.draft) }
    }
    notify.sucesso(texto, { action: { label: 'Desfazer', run: () => setEdicao(desfazer) } })
  }

  const salvar = async (): Promise<void> => {
    if (edicao === null || salvando) return
    setSalvando(true)
    try {
      const { editError, withEdit } = await import('./conferir.ts')
      const falta = editError(edicao)
      if (falta !== null) return void notify.erro(falta)
      const salva = await salvarConfig(withEdit(edicao))
      // Edits made during the save stay in the draft.
      setEdicao((agora) => (agora === edicao || agora === null ? null : { ...agora, base: salva }))
      notify.sucesso('Menu e mensagens salvos com sucesso!')
    } catch (erro) {
      if (erro instanceof ApiError && erro.codigo === 'versaoDesatualizada') setConflito(true)
      else notify.erro(`Erro ao salvar configurações: ${errorMessage(erro)}`)
    } finally {
      setSalvando(false)
    }
  }

  return {
    rascunho,
    horario,
    editando: edicao !== null,
    alterado: edicao?.changed === true,
    salvando,
    conflito,
    editar: () => setEdicao({ base: config, draft: openMenuDraft(config.menu), horario, changed: false }),
    cancelar: () => setEdicao(null),
    mudar,
    mudarHorario,
    salvar,
    remover: (chave: string) => {
      const indice = rascunho.opcoes.findIndex((opcao) => opcao.key === chave)
      const removida = rascunho.opcoes[indice]
      if (removida === undefined) return
      if (rascunho.opcoes.length === 1) return void notify.erro('Deve haver pelo menos uma opção no menu')
      trocar(
        `Opção “${removida.titulo}” removida`,
        (atual) => removeOpcao(atual, chave),
        (atual) => putBackOpcao(atual, removida, indice),
      )
    },
    restaurar: async () => {
      const { defaultMenu } = await import('@balcao/contract/defaults')
      trocar('Menu restaurado para o padrão. Salve para valer.', () => openMenuDraft(defaultMenu()))
    },
    aplicarModelo: ({ menuPrincipal, nome, opcoes }: ModeloMenu) =>
      trocar(`Modelo “${nome}” aplicado. Salve para valer.`, (atual) =>
        openMenuDraft({ ...closeMenuDraft(atual), menuPrincipal, opcoes: [...opcoes] }),
      ),
    /** Resolves a conflict: loads the other window's version and discards the draft. */
    aceitarServidor: async () => {
      setConflito(false)
      setEdicao(null)
      await reload().catch((erro: unknown) => notify.erro(`Erro ao recarregar configurações: ${errorMessage(erro)}`))
    },
    fecharConflito: () => setConflito(false),
  }
}
