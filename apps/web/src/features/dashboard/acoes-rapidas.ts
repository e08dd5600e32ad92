import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import type { Meios } from './fazer-acoes.ts'

export type AcaoRapida = 'setup' | 'limpar' | 'recarregar' | 'verificar'

export interface EmCurso {
  readonly acao: AcaoRapida
  readonly passo?: string
}

export interface AcoesRapidas {
  readonly emCurso: EmCurso | null
  readonly setupRapido: () => Promise<void>
  readonly limpar: () => Promise<void>
  readonly recarregar: () => Promise<void>
  readonly verificar: () => Promise<void>
}

export function useAcoesRapidas(meios: Pick<Meios, 'config' | 'bot' | 'irParaGeral'>): AcoesRapidas {
  const cliente = useQueryClient()
  const [emCurso, setEmCurso] = useState<EmCurso | null>(null)

  const fazer = (acao: AcaoRapida) => async (): Promise<void> => {
    if (emCurso !== null) return
    setEmCurso({ acao })
    try {
      const acoes = await import('./fazer-acoes.ts')
      await acoes[acao]({ ...meios, cliente, passo: (passo) => setEmCurso({ acao, passo }) })
    } catch (erro) {
      avisar.erro(mensagemDe(erro))
    }
    setEmCurso(null)
  }

  return {
    emCurso,
    setupRapido: fazer('setup'),
    limpar: fazer('limpar'),
    recarregar: fazer('recarregar'),
    verificar: fazer('verificar'),
  }
}
