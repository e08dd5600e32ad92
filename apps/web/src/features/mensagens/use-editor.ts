import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { MODELOS_MENU } from '@balcao/contract/modelos'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useSalvarConfig } from '#shared/dados/config.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { abrirRascunho, fecharRascunho, type Rascunho, removerOpcao } from './rascunho.ts'

/** What is being edited: the draft, and the configuration it was opened from (its `versao` guards against another window). */
interface Edicao {
  readonly base: ConfigVersionada
  readonly rascunho: Rascunho
  readonly alterado: boolean
}

/** Read-only until `editar`; `cancelar` and a successful `salvar` go back to it (spec §4 "Menu editor"). */
export function useEditor(config: ConfigVersionada, recarregar: () => Promise<unknown>) {
  const [edicao, setEdicao] = useState<Edicao | null>(null)
  const [conflito, setConflito] = useState(false)
  const { mutateAsync, isPending } = useSalvarConfig()
  const [parado, setParado] = useState(() => ({ menu: config.menu, rascunho: abrirRascunho(config.menu) }))
  if (parado.menu !== config.menu) setParado({ menu: config.menu, rascunho: abrirRascunho(config.menu) })
  const rascunho = edicao?.rascunho ?? parado.rascunho

  const mudar = (feito: (atual: Rascunho) => Rascunho): void =>
    setEdicao((atual) => (atual === null ? null : { ...atual, rascunho: feito(atual.rascunho), alterado: true }))

  /** Replaces the draft at once and offers the way back. */
  const trocar = (texto: string, feito: (atual: Rascunho) => Rascunho): void => {
    const antes = edicao
    mudar(feito)
    avisar.sucesso(texto, {
      acao: { rotulo: 'Desfazer', fazer: () => setEdicao((agora) => (agora === null ? null : antes)) },
    })
  }

  const salvar = async (): Promise<void> => {
    if (edicao === null) return
    try {
      const { faltaNoMenu } = await import('./conferir.ts')
      const falta = faltaNoMenu(fecharRascunho(edicao.rascunho))
      if (falta !== null) return void avisar.erro(falta)
      await mutateAsync({ ...edicao.base, menu: fecharRascunho(edicao.rascunho) })
      setEdicao(null)
      avisar.sucesso('Menu e mensagens salvos com sucesso!')
    } catch (erro) {
      if (erro instanceof ApiError && erro.codigo === 'versaoDesatualizada') setConflito(true)
      else avisar.erro(`Erro ao salvar configurações: ${mensagemDe(erro)}`)
    }
  }

  return {
    rascunho,
    editando: edicao !== null,
    alterado: edicao?.alterado === true,
    salvando: isPending,
    conflito,
    editar: () => setEdicao({ base: config, rascunho: abrirRascunho(config.menu), alterado: false }),
    cancelar: () => setEdicao(null),
    mudar,
    salvar,
    remover: (chave: string) => {
      if (rascunho.opcoes.length === 1) return void avisar.erro('Deve haver pelo menos uma opção no menu')
      trocar('Opção removida', (atual) => removerOpcao(atual, chave))
    },
    restaurar: async () => {
      const { menuPadrao } = await import('@balcao/contract/defaults')
      const padrao = abrirRascunho(menuPadrao())
      if (edicao === null) setEdicao({ base: config, rascunho: padrao, alterado: true })
      else trocar('Menu restaurado para o padrão. Salve para valer.', () => padrao)
      if (edicao === null) avisar.sucesso('Menu restaurado para o padrão. Salve para valer.')
    },
    aplicarModelo: (id: string) => {
      const modelo = MODELOS_MENU.find((item) => item.id === id)
      if (modelo === undefined) return
      const { menuPrincipal, nome } = modelo
      const aplicar = (atual: Rascunho): Rascunho =>
        abrirRascunho({ ...fecharRascunho(atual), menuPrincipal, opcoes: [...modelo.opcoes] })
      if (edicao === null) setEdicao({ base: config, rascunho: aplicar(rascunho), alterado: true })
      else trocar(`Modelo “${nome}” aplicado. Salve para valer.`, aplicar)
    },
    /** Another window saved first: take what it saved and begin again from it. */
    aceitarServidor: async () => {
      setConflito(false)
      setEdicao(null)
      await recarregar().catch((erro: unknown) => avisar.erro(`Erro ao recarregar configurações: ${mensagemDe(erro)}`))
    },
    fecharConflito: () => setConflito(false),
  }
}
