import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import {
  mergeRespostas,
  openRespostasDraft,
  checkRespostas,
  putBackResposta,
  type RespostasErrors,
  respostasErrorsOf,
  closeRespostasDraft,
  isEqualTo,
  moveResposta,
  type RespostasDraft,
  rebaseDraft,
} from './respostas-draft.ts'
import { type LoadedRespostas, useRespostasServer } from './use-respostas.ts'

export const respostaFieldName = (key: string, field: 'atalho' | 'texto'): string => `${field}-${key}`

/** After the next frame: the line may not be mounted or moved yet. */
function focusField(chave: string, campo: 'atalho' | 'texto'): void {
  requestAnimationFrame(() => document.getElementsByName(respostaFieldName(chave, campo))[0]?.focus())
}

const NO_ERRORS: RespostasErrors = {}
const MERGED_TEXT = 'Respostas rápidas salvas, junto com o que outra pessoa salvou há pouco.'
const CHECK_TEXT = 'Outra pessoa também mudou estas respostas. Confira o que está marcado e salve de novo.'

/** Draft of the list with its actions. Server updates replace it only while it is unchanged. */
export function useRespostasEditor(loaded: LoadedRespostas) {
  const { gravar, lerDeNovo } = useRespostasServer()
  const [base, setBase] = useState(loaded)
  const [rascunho, setRascunho] = useState<RespostasDraft>(() => openRespostasDraft(loaded.respostas))
  const [faltas, setFaltas] = useState<RespostasErrors>(NO_ERRORS)
  const [salvando, setSalvando] = useState(false)
  const [anuncio, setAnuncio] = useState('')
  const alterado = !isEqualTo(rascunho, base.respostas)
  if (!alterado && !salvando && base !== loaded) {
    setBase(loaded)
    setRascunho(openRespostasDraft(loaded.respostas, rascunho))
  }
  const saida = useUnsavedGuard(alterado)

  const refuse = (fresh: RespostasErrors, written = rascunho): boolean => {
    setFaltas(fresh)
    const first = written.find(({ key }) => fresh[key] !== undefined)
    if (first === undefined) return false
    focusField(first.key, fresh[first.key]?.atalho === undefined ? 'texto' : 'atalho')
    return true
  }
  /** On a conflict it merges local edits into the new list and saves again, unless both changed the same line. */
  const send = async (written: RespostasDraft, sobre: LoadedRespostas, juntou = false): Promise<void> => {
    try {
      const saved = await gravar(closeRespostasDraft(written), sobre.versao)
      setBase(saved)
      setRascunho((current) => rebaseDraft(current, written, saved.respostas))
      notify.sucesso(juntou ? MERGED_TEXT : 'Respostas rápidas salvas com sucesso!')
    } catch (error) {
      if (!(error instanceof ApiError) || error.codigo !== 'conflito') throw error
      const now = await lerDeNovo()
      if (now.versao === sobre.versao) throw error
      const merge = (um: RespostasDraft) => mergeRespostas(um, sobre.respostas, now.respostas)
      const juntada = merge(written)
      setBase(now)
      setRascunho((current) => (current === written ? juntada.draft : merge(current).draft))
      if (!refuse({ ...checkRespostas(juntada.draft), ...juntada.errors }, juntada.draft)) {
        return await send(juntada.draft, now, true)
      }
      notify.erro(CHECK_TEXT)
    }
  }
  const salvar = async (): Promise<void> => {
    if (salvando || !alterado || refuse(checkRespostas(rascunho))) return
    setSalvando(true)
    try {
      await send(rascunho, base)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!refuse(respostasErrorsOf(rascunho, error.dados.detalhes ?? []))) notify.erro(error.message)
    } finally {
      setSalvando(false)
    }
  }
  useHotkeys({ '$mod+s': () => void salvar() })

  return {
    rascunho,
    faltas,
    alterado,
    salvando,
    saida,
    anuncio,
    salvar,
    descartar: () => {
      setRascunho(openRespostasDraft(base.respostas))
      setFaltas(NO_ERRORS)
    },
    adicionar: () => {
      const chave = crypto.randomUUID()
      setRascunho([...rascunho, { key: chave, atalho: '', texto: '', before: null }])
      focusField(chave, 'atalho')
    },
    mudar: (chave: string, fields: Partial<RespostaRapida>) => {
      setRascunho(rascunho.map((uma) => (uma.key === chave ? { ...uma, ...fields } : uma)))
      const { [chave]: _resolvida, ...others } = faltas
      setFaltas(others)
    },
    mover: (chave: string, step: -1 | 1) => {
      const moved = moveResposta(rascunho, chave, step)
      setRascunho(moved)
      const position = moved.findIndex((uma) => uma.key === chave)
      setAnuncio(`/${moved[position]?.atalho ?? ''} na posição ${position + 1} de ${moved.length}`)
    },
    remover: (chave: string) => {
      const index = rascunho.findIndex((uma) => uma.key === chave)
      const line = rascunho[index]
      if (line === undefined) return
      setRascunho(rascunho.toSpliced(index, 1))
      const neighbour = rascunho[index + 1] ?? rascunho[index - 1]
      if (neighbour !== undefined) focusField(neighbour.key, 'atalho')
      const name = line.atalho === '' ? 'Resposta' : `/${line.atalho}`
      notify.sucesso(`${name} removida. Salve para valer.`, {
        action: { label: 'Desfazer', run: () => setRascunho((current) => putBackResposta(current, line, index)) },
      })
    },
  }
}
