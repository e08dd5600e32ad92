import type { Cupom, CupomListado } from '@balcao/contract/entities/cupom'
import { atualizarCupomRoute, criarCupomRoute, cuponsRoute, excluirCupomRoute } from '@balcao/contract/routes/cupons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'

const CUPONS_KEY = ['cupons'] as const

export function useCupons() {
  return useQuery({
    queryKey: CUPONS_KEY,
    queryFn: async ({ signal }) => (await call(cuponsRoute, { signal })).cupons,
    networkMode: 'always',
  })
}

/** A whole coupon as a form sends it. */
export interface WrittenCupom extends Omit<Cupom, 'id' | 'validoAte'> {
  /** Null: the coupon has no last day. */
  readonly validoAte: string | null
}

export function useCupomActions() {
  const client = useQueryClient()
  const change = (update: (list: readonly CupomListado[]) => readonly CupomListado[]): void => {
    client.setQueryData<readonly CupomListado[]>(CUPONS_KEY, (list) => (list === undefined ? undefined : update(list)))
    void client.invalidateQueries({ queryKey: CUPONS_KEY })
  }
  const byCode = (a: Cupom, b: Cupom): number => (a.codigo < b.codigo ? -1 : 1)
  const replace = (fresh: Cupom): void =>
    change((list) => list.map((one) => (one.id === fresh.id ? { ...fresh, usados: one.usados } : one)).toSorted(byCode))
  return {
    /** Throws `cupomExiste`. */
    create: async ({ validoAte, ...written }: WrittenCupom): Promise<void> => {
      const { cupom } = await call(criarCupomRoute, {
        body: { ...written, ...(validoAte === null ? {} : { validoAte }) },
      })
      change((list) => [...list, { ...cupom, usados: 0 }].toSorted(byCode))
      notify.sucesso(`Cupom ${cupom.codigo} criado.`)
    },
    /** Throws `cupomExiste`. */
    edit: async (id: string, written: WrittenCupom): Promise<void> => {
      const { cupom } = await call(atualizarCupomRoute, { params: { id }, body: written })
      replace(cupom)
      notify.sucesso(`Cupom ${cupom.codigo} salvo.`)
    },
    toggle: async ({ id, codigo }: Cupom, ativo: boolean): Promise<void> => {
      try {
        replace((await call(atualizarCupomRoute, { params: { id }, body: { ativo } })).cupom)
        notify.sucesso(ativo ? `O cupom ${codigo} vale de novo.` : `O cupom ${codigo} não vale mais.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
    remove: async ({ id, codigo }: Cupom): Promise<void> => {
      try {
        await call(excluirCupomRoute, { params: { id } })
        change((list) => list.filter((one) => one.id !== id))
        notify.sucesso(`Cupom ${codigo} excluído.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
  }
}
