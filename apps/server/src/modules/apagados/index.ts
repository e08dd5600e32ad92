export {
  findErasedPhones,
  requireNotErased,
  type ErasureMark,
  erasureMarkContext,
  findLackingMarks,
  insertErasureMarks,
  type MarksPlace,
  recordLackingMarks,
} from './erasure-marks.ts'
