import { measureKnowledge } from './assistente/knowledge.ts'
import { measureReplay } from './assistente/replay.ts'
import type { Section } from './report.ts'

export const measureAssistente = async (): Promise<Section[]> => [await measureKnowledge(), await measureReplay()]
