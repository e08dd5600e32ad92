import type { ExemploLoja } from './exemplo-loja.ts'
import { HAMBURGUERIA } from './hamburgueria.ts'
import { MERCADO } from './mercado.ts'
import { PADARIA } from './padaria.ts'
import { PET_SHOP } from './pet-shop.ts'
import { PIZZARIA } from './pizzaria.ts'

/** Most common first. */
export const EXEMPLOS_LOJA: readonly ExemploLoja[] = [PADARIA, PIZZARIA, HAMBURGUERIA, PET_SHOP, MERCADO]
