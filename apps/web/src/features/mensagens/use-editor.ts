import type { ConfigVersionada, Horario } from '@balcao/contract/entities/config'
import type { ModeloMenu } from '@balcao/contract/modelos-de-menu'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useSalvarConfig } from '#shared/dados/config-escrita.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { abrirRascunho, devolverOpcao, fecharRascunho, type Rascunho, removerOpcao } from './rascunho.ts'

/** The draft and the configuration it started from. `base.versao` detects saves by another window. */
export interface Edicao {
  readonly base: ConfigVersionada
  readonly rascunho: Rascunho
  readonly horario: Horario
  readonly alterado: boolean
}

export type Editor = ReturnType<typeof useEditor>

/** Read-only until `editar`. `cancelar` and a successful `salvar` end the edit. */
export function useEditor(config: ConfigVersionada, recarregar: () => Promise<unknown>) {
  const [edicao, setEdicao] = useState<Edicao | null>(null)
  const [conflito, setConflito] = useState(false)
  const [salvando, setSalvando] = useState(false)
  const { salvarConfig } = useSalvarConfig()
  const [parado, setParado] = useState(() => ({ menu: config.menu, rascunho: abrirRascunho(config.menu) }))
  if (parado.menu !== config.menu) setParado({ menu: config.menu, rascunho: abrirRascunho(config.menu) })
  const rascunho = edicao?.rascunho ?? parado.rascunho
  const horario = edicao?.horario ?? config.atendimento.horario

  const mudar = (feito: (atual: Rascunho) => Rascunho): void =>
    setEdicao((atual) => (atual === null ? null : { ...atual, rascunho: feito(atual.rascunho), alterado: true }))

  const mudarHorario = (feito: (atual: Horario) => Horario): void =>
    setEdicao((atual) => (atual === null ? null : { ...atual, horario: feito(atual.horario), alterado: true }))

  /** Changes the draft, starts an edit if needed, and offers an undo. */
  const trocar = (
    texto: string,
    feito: (atual: Rascunho) => Rascunho,
    desfeito?: (atual: Rascunho) => Rascunho,
  ): void => {
    const antes = edicao ?? { base: config, rascunho, horario, alterado: false }
    setEdicao({ ...antes, rascunho: feito(antes.rascunho), alterado: true })
    const desfazer = (agora: Edicao | null): Edicao | null => {
      // The undo does nothing after a cancel or save.
      if (agora?.base !== antes.base) return agora
      return desfeito === undefined ? antes : { ...agora, rascunho: desfeito(agora.rascunho) }
    }
    avisar.sucesso(texto, { acao: { rotulo: 'Desfazer', fazer: () => setEdicao(desfazer) } })
  }

  const salvar = async (): Promise<void> => {
    if (edicao === null || salvando) return
    setSalvando(true)
    try {
      const { faltaNoQueSalva, comEdicao } = await import('./conferir.ts')
      const falta = faltaNoQueSalva(edicao)
      if (falta !== null) return void avisar.erro(falta)
      const salva = await salvarConfig(comEdicao(edicao))
      // Edits made during the save stay in the draft.
      setEdicao((agora) => (agora === edicao || agora === null ? null : { ...agora, base: salva }))
      avisar.sucesso('Menu e mensagens salvos com sucesso!')
    } catch (erro) {
      if (erro instanceof ApiError && erro.codigo === 'versaoDesatualizada') setConflito(true)
      else avisar.erro(`Erro ao salvar configurações: ${mensagemDe(erro)}`)
    } finally {
      setSalvando(false)
    }
  }

  return {
    rascunho,
    horario,
    editando: edicao !== null,
    alterado: edicao?.alterado === true,
    salvando,
    conflito,
    editar: () => setEdicao({ base: config, rascunho: abrirRascunho(config.menu), horario, alterado: false }),
    cancelar: () => setEdicao(null),
    mudar,
    mudarHorario,
    salvar,
    remover: (chave: string) => {
      const indice = rascunho.opcoes.findIndex((opcao) => opcao.chave === chave)
      const removida = rascunho.opcoes[indice]
      if (removida === undefined) return
      if (rascunho.opcoes.length === 1) return void avisar.erro('Deve haver pelo menos uma opção no menu')
      trocar(
        `Opção “${removida.titulo}” removida`,
        (atual) => removerOpcao(atual, chave),
        (atual) => devolverOpcao(atual, removida, indice),
      )
    },
    restaurar: async () => {
      const { menuPadrao } = await import('@balcao/contract/defaults')
      trocar('Menu restaurado para o padrão. Salve para valer.', () => abrirRascunho(menuPadrao()))
    },
    aplicarModelo: ({ menuPrincipal, nome, opcoes }: ModeloMenu) =>
      trocar(`Modelo “${nome}” aplicado. Salve para valer.`, (atual) =>
        abrirRascunho({ ...fecharRascunho(atual), menuPrincipal, opcoes: [...opcoes] }),
      ),
    /** Resolves a conflict: loads the other window's version and discards the draft. */
    aceitarServidor: async () => {
      setConflito(false)
      setEdicao(null)
      await recarregar().catch((erro: unknown) => avisar.erro(`Erro ao recarregar configurações: ${mensagemDe(erro)}`))
    },
    fecharConflito: () => setConflito(false),
  }
}
